"""When a model is asked again: only for what is worth it, and only while nobody has seen anything."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, cast

import pytest

from cetp_gateway.api import ModelProvider, ModelRequest, TextDelta, UserMessage
from cetp_gateway.errors import ModelFailed, ModelFailure
from cetp_gateway.models import ReliableModel
from cetp_gateway.testing import Hold, ScriptedModel, ScriptedStep
from support.fake_vendor import Drop, FakeVendor, Reply, answer, data, event, stream
from support.heard import heard
from support.vendor_models import anthropic_model, ask, openai_model
from support.vendor_streams import anthropic_text, chunk, openai_text, started, text_block, tool_block

HELLO = ModelRequest(system="", messages=[UserMessage("hello")])
WORTH_IT = [
    ModelFailure.RATE_LIMITED,
    ModelFailure.OVERLOADED,
    ModelFailure.UNREACHABLE,
    ModelFailure.BROKEN_ANSWER,
]
OVERLOADED = event({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})


@pytest.fixture
async def vendor() -> AsyncIterator[FakeVendor]:
    async with FakeVendor() as server:
        yield server


class Waits:
    """Takes the place of waiting and keeps how long it would have been."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def failing(kind: ModelFailure, wait: float | None = None, *, text: str = "", thinking: str = "") -> ScriptedStep:
    return ScriptedStep(text=text, thinking=thinking, fails=ModelFailed(kind, "no", retry_after_s=wait))


def reliable(model: ModelProvider, waits: Waits, retries: int = 2) -> ReliableModel:
    return ReliableModel(model, retries=retries, sleep=waits)


@pytest.mark.parametrize("kind", WORTH_IT)
@pytest.mark.requirement("runtime.principles.retry")
async def test_a_passing_trouble_is_tried_again_with_growing_waits(kind: ModelFailure) -> None:
    waits = Waits()
    model = ScriptedModel([failing(kind), failing(kind), ScriptedStep(text="ok")])

    said = await heard(reliable(model, waits).stream(HELLO))

    assert said.ended.message.text == "ok"
    assert 0 < waits.seconds[0] <= 1
    assert 1 <= waits.seconds[1] <= 1.5


@pytest.mark.parametrize("kind", [kind for kind in ModelFailure if kind not in WORTH_IT])
async def test_what_will_fail_again_is_not_tried_again(kind: ModelFailure) -> None:
    model = ScriptedModel([failing(kind), ScriptedStep(text="never")])

    said = await heard(reliable(model, Waits()).stream(HELLO))

    assert said.failure.kind is kind
    assert len(model.requests) == 1


@pytest.mark.parametrize(("text", "thinking"), [("The sensor", ""), ("", "hm")])
async def test_nothing_is_tried_again_once_something_was_shown(text: str, thinking: str) -> None:
    first = failing(ModelFailure.OVERLOADED, text=text, thinking=thinking)
    model = ScriptedModel([first, ScriptedStep(text="never")])

    said = await heard(reliable(model, Waits()).stream(HELLO))

    assert said.failure.kind is ModelFailure.OVERLOADED
    assert len(model.requests) == 1


@pytest.mark.parametrize("retries", [0, 1, 3])
async def test_the_number_of_attempts_is_a_setting(retries: int) -> None:
    model = ScriptedModel([failing(ModelFailure.OVERLOADED)] * 5)

    said = await heard(reliable(model, Waits(), retries).stream(HELLO))

    assert said.failure.kind is ModelFailure.OVERLOADED
    assert len(model.requests) == 1 + retries


async def test_the_vendors_own_wish_is_the_wait() -> None:
    waits = Waits()
    model = ScriptedModel([failing(ModelFailure.RATE_LIMITED, 7.0), ScriptedStep(text="ok")])

    await heard(reliable(model, waits).stream(HELLO))

    assert waits.seconds == [7.0]


async def test_a_wish_for_more_than_half_a_minute_is_told_to_the_user_instead() -> None:
    waits = Waits()
    model = ScriptedModel([failing(ModelFailure.RATE_LIMITED, 31.0)])

    said = await heard(reliable(model, waits).stream(HELLO))

    assert said.failure.retry_after_s == 31.0
    assert waits.seconds == []


async def test_side_work_is_tried_again_too(vendor: FakeVendor) -> None:
    whole = answer({"choices": [{"message": {"content": "Boiler"}, "finish_reason": "stop"}]})
    vendor.will(answer({}, 503), whole)
    model = openai_model(vendor)

    title = await ReliableModel(model, retries=1, sleep=Waits()).complete(HELLO)
    await model.aclose()

    assert title.text == "Boiler"


async def test_closing_the_outer_stream_closes_the_inner_one() -> None:
    model = ScriptedModel([ScriptedStep(text="wait", hold=Hold())])

    async with asyncio.timeout(5):
        async with aclosing(cast("Any", reliable(model, Waits()).stream(HELLO))) as events:
            assert await anext(events) == TextDelta("wait")
            assert model.open_streams == 1
        assert model.open_streams == 0


async def test_a_cancelled_wait_for_the_first_event_closes_the_stream() -> None:
    hold = Hold()
    model = ScriptedModel([ScriptedStep(hold=hold)])

    async with asyncio.timeout(5):
        reading = asyncio.create_task(heard(reliable(model, Waits()).stream(HELLO)))
        await hold.reached.wait()
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await model.idle()
    assert len(model.requests) == 1


async def test_anthropic_is_asked_again_when_the_error_comes_before_anything_was_shown(vendor: FakeVendor) -> None:
    vendor.will(stream(started(), OVERLOADED), stream(started(), end=Drop()), stream(*anthropic_text("ok")))

    said = await ask(ReliableModel(anthropic_model(vendor), retries=2, sleep=Waits()))

    assert said.ended.message.text == "ok"
    assert len(vendor.requests) == 3


async def test_anthropic_is_not_asked_again_after_half_an_answer(vendor: FakeVendor) -> None:
    half = tool_block(1, "t1", "x", '{"q"', stops=False)
    vendor.will(stream(started(), text_block(0, "The sensor"), half, OVERLOADED), stream(*anthropic_text("never")))

    said = await ask(ReliableModel(anthropic_model(vendor), retries=2, sleep=Waits()))

    assert (said.text, said.failure.kind) == ("The sensor", ModelFailure.OVERLOADED)
    assert len(vendor.requests) == 1


@pytest.mark.parametrize(
    "first",
    [
        answer({"error": {"message": "busy"}}, 503),
        answer({"error": {"message": "slow"}}, 429, retry_after="1"),
        stream(chunk({"role": "assistant", "content": ""}), data({"error": {"message": "x", "code": 502}})),
        stream(chunk({"role": "assistant", "content": ""})),
    ],
    ids=["503", "429", "error in the stream", "empty stream"],
)
async def test_a_compatible_server_is_asked_again(vendor: FakeVendor, first: Reply) -> None:
    vendor.will(first, stream(*openai_text("ok")))

    said = await ask(ReliableModel(openai_model(vendor), retries=1, sleep=Waits()))

    assert said.ended.message.text == "ok"
