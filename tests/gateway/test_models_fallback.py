"""What happens when a model keeps failing: the next one is asked, and the failing one is left alone for a while."""

import asyncio
from collections.abc import Sequence

import pytest

from cetp_gateway.api import ModelProvider, ModelRequest, UserMessage
from cetp_gateway.errors import ModelFailed, ModelFailure, SettingsError
from cetp_gateway.models import create_model
from cetp_gateway.models.circuit import CircuitModel
from cetp_gateway.models.fallback import FallbackModel
from cetp_gateway.settings.model import ModelSettings
from cetp_gateway.testing import Hold, ScriptedModel, ScriptedStep
from support.fake_vendor import Drop, FakeVendor, answer, stream
from support.heard import Heard, heard
from support.vendor_models import ask
from support.vendor_streams import chunk, openai_text

HELLO = ModelRequest(system="", messages=[UserMessage("hello")])


def failing(kind: ModelFailure, wait: float | None = None, text: str = "") -> ScriptedStep:
    return ScriptedStep(text=text, fails=ModelFailed(kind, f"no ({kind})", retry_after_s=wait))


async def said(model: ModelProvider) -> Heard:
    async with asyncio.timeout(20):
        return await heard(model.stream(HELLO))


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class Broken:
    """A circuit around a scripted model, with a clock of the test's own."""

    def __init__(self, steps: Sequence[ScriptedStep], failures: int = 2) -> None:
        self.clock = Clock()
        self.script = ScriptedModel(steps)
        self.model = CircuitModel(self.script, failures=failures, pause_s=60, clock=self.clock)


@pytest.mark.parametrize("kind", list(ModelFailure))
async def test_the_next_model_answers_when_the_first_says_nothing_but_that_it_failed(kind: ModelFailure) -> None:
    chain = FallbackModel([ScriptedModel([failing(kind)]), ScriptedModel([ScriptedStep(text="second")])])

    assert (await said(chain)).ended.message.text == "second"


async def test_what_has_begun_to_be_shown_is_not_begun_again_elsewhere() -> None:
    second = ScriptedModel([ScriptedStep(text="never")])
    chain = FallbackModel([ScriptedModel([failing(ModelFailure.BROKEN_ANSWER, text="Half an")]), second])

    heard = await said(chain)

    assert heard.failure.kind is ModelFailure.BROKEN_ANSWER
    assert heard.text == "Half an"
    assert second.requests == []


async def test_when_all_fail_the_first_ones_failure_is_told() -> None:
    chain = FallbackModel([
        ScriptedModel([failing(ModelFailure.AUTH)]),
        ScriptedModel([failing(ModelFailure.OVERLOADED)]),
    ])  # fmt: skip

    failure = (await said(chain)).failure

    assert failure.kind is ModelFailure.AUTH
    assert failure.code == "AUTH_ERROR"
    assert failure.message == "no (auth) The fallbacks failed too; the last one: no (overloaded)"


async def test_side_work_falls_back_too() -> None:
    async with FakeVendor() as vendor:
        whole = {"choices": [{"message": {"content": "A title"}, "finish_reason": "stop"}]}
        vendor.will(answer({"error": {"message": "down"}}, 503), answer(whole))
        model = create_model(
            ModelSettings(provider="ollama", name="a", base_url=vendor.url, retries=0, fallbacks=("ollama/b",)), {}
        )
        title = await model.complete(HELLO)
        await model.aclose()

    assert title.text == "A title"
    assert [asked.body["model"] for asked in vendor.requests] == ["a", "b"]


async def test_a_chain_is_made_from_settings_with_each_vendors_own_key_and_address() -> None:
    async with FakeVendor() as first, FakeVendor() as second:
        first.will(answer({"error": {"message": "slow down"}}, 429))
        second.will(stream(*openai_text("from the second")))
        settings = ModelSettings(
            provider="mistral",
            name="one",
            base_url=first.url,
            api_key="secret-of-the-first",
            retries=0,
            fallbacks=(f"groq/openai/gpt-oss-120b@{second.url}",),
        )

        heard = await ask(create_model(settings, {"GROQ_API_KEY": "secret-of-the-second"}))

        assert heard.text == "from the second"
        assert second.requests[0].body["model"] == "openai/gpt-oss-120b"
        assert second.requests[0].headers["authorization"] == "Bearer secret-of-the-second"


async def test_a_stream_that_breaks_before_anything_was_shown_is_asked_for_elsewhere() -> None:
    async with FakeVendor() as vendor:
        vendor.will(stream(chunk({"role": "assistant"}), end=Drop()), stream(*openai_text("whole")))
        settings = ModelSettings(provider="ollama", name="a", base_url=vendor.url, retries=0, fallbacks=("ollama/b",))
        assert (await ask(create_model(settings, {}))).text == "whole"


@pytest.mark.parametrize("written", ["", "/x", "@http://x"])
def test_a_fallback_that_names_no_provider_is_refused(written: str) -> None:
    with pytest.raises(SettingsError, match=r"model\.fallbacks"):
        create_model(ModelSettings(provider="offline", fallbacks=(written,)), {})


async def test_a_model_that_fails_again_and_again_is_left_alone_and_tried_again_later() -> None:
    broken = Broken([failing(ModelFailure.UNREACHABLE), failing(ModelFailure.UNREACHABLE), ScriptedStep(text="back")])
    for _ in range(2):
        assert (await said(broken.model)).failure.message == "no (unreachable)"

    refused = (await said(broken.model)).failure
    assert "has failed 2 times in a row and is asked again in 60 s" in refused.message
    assert refused.retry_after_s == 60
    assert len(broken.script.requests) == 2

    broken.clock.now += 60
    assert (await said(broken.model)).text == "back"


async def test_a_failed_trial_begins_the_pause_anew() -> None:
    broken = Broken([failing(ModelFailure.OVERLOADED)] * 3)
    for _ in range(2):
        await said(broken.model)
    broken.clock.now += 61
    assert (await said(broken.model)).failure.message == "no (overloaded)"

    assert "asked again in 60 s" in (await said(broken.model)).failure.message
    assert len(broken.script.requests) == 3


async def test_a_success_in_between_forgets_the_failures() -> None:
    broken = Broken([failing(ModelFailure.OVERLOADED), ScriptedStep(text="ok"), failing(ModelFailure.OVERLOADED)])

    for _ in range(3):
        await said(broken.model)

    assert len(broken.script.requests) == 3


@pytest.mark.parametrize("kind", [ModelFailure.AUTH, ModelFailure.REFUSED_REQUEST, ModelFailure.SETUP])
async def test_failures_of_the_request_or_the_settings_do_not_count(kind: ModelFailure) -> None:
    broken = Broken([failing(kind)] * 5, failures=1)

    for _ in range(5):
        assert (await said(broken.model)).failure.kind is kind


async def test_the_vendors_own_wish_for_a_longer_pause_is_kept() -> None:
    broken = Broken([failing(ModelFailure.RATE_LIMITED, wait=300)], failures=1)
    await said(broken.model)
    broken.clock.now += 100

    assert (await said(broken.model)).failure.retry_after_s == 200


async def test_only_one_request_tries_again_at_a_time() -> None:
    hold = Hold()
    broken = Broken([failing(ModelFailure.UNREACHABLE), ScriptedStep(text="back", hold=hold)], failures=1)
    await said(broken.model)
    broken.clock.now += 61
    trial = asyncio.create_task(said(broken.model))
    async with asyncio.timeout(10):
        await hold.reached.wait()

    assert "in a row" in (await said(broken.model)).failure.message

    hold.released.set()
    assert (await trial).text == "back"


async def test_a_trial_that_is_given_up_leaves_the_way_free() -> None:
    hold = Hold()
    steps = [failing(ModelFailure.UNREACHABLE), ScriptedStep(text="x", hold=hold), ScriptedStep(text="back")]
    broken = Broken(steps, failures=1)
    await said(broken.model)
    broken.clock.now += 61
    trial = asyncio.create_task(said(broken.model))
    async with asyncio.timeout(10):
        await hold.reached.wait()
    trial.cancel()
    await asyncio.wait([trial])

    assert (await said(broken.model)).text == "back"


async def test_a_model_that_is_left_alone_costs_the_next_one_no_wait() -> None:
    broken = Broken([failing(ModelFailure.UNREACHABLE)], failures=1)
    chain = FallbackModel([broken.model, ScriptedModel([ScriptedStep(text="one"), ScriptedStep(text="two")])])

    assert [(await said(chain)).text for _ in range(2)] == ["one", "two"]
    assert len(broken.script.requests) == 1
