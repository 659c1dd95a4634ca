"""Answers of chat completions servers, whole, broken off, or in odd shapes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, cast

import pytest

from cetp_gateway.api import (
    AssistantMessage,
    ModelRequest,
    StepEnded,
    StopReason,
    TextDelta,
    Usage,
)
from cetp_gateway.errors import ModelFailure
from support.fake_vendor import Drop, FakeVendor, Hold, answer, data, page, stream
from support.heard import heard
from support.vendor_models import HELLO, ask, openai_model
from support.vendor_streams import USAGE, call_piece, chunk, openai_calls, openai_text


@pytest.fixture
async def vendor() -> AsyncIterator[FakeVendor]:
    async with FakeVendor() as server:
        yield server


async def test_text_is_streamed_and_the_step_ends_with_all_of_it(vendor: FakeVendor) -> None:
    vendor.will(stream(*openai_text("The sensor ", "is fine.")))

    said = await ask(openai_model(vendor))

    assert [event for event in said.events if isinstance(event, TextDelta)] == [
        TextDelta("The sensor "),
        TextDelta("is fine."),
    ]
    assert said.ended == StepEnded(AssistantMessage("The sensor is fine."), StopReason.END, Usage(11, 7, 4))


@pytest.mark.parametrize("every", [1, 2, 3, 7])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
async def test_pieces_may_end_anywhere(vendor: FakeVendor, every: int, line_end: str) -> None:
    events = [
        ": keepalive\n\n",
        *openai_calls(chunk({"content": "读取 🎉"}), call_piece('{"q":"é"}', name="a", id="c")),
    ]
    vendor.will(stream(*(event.replace("\n", line_end) for event in events), every=every))

    said = await ask(openai_model(vendor))

    assert said.text == "读取 🎉"
    assert [(call.id, call.name, call.arguments) for call in said.ended.message.calls] == [("c", "a", {"q": "é"})]


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
async def test_reasoning_is_shown_and_not_part_of_the_answer(vendor: FakeVendor, key: str) -> None:
    vendor.will(stream(chunk({key: "hm, "}), chunk({key: "yes"}), *openai_text("Yes.")))

    said = await ask(openai_model(vendor))

    assert (said.thinking, said.ended.message.text) == ("hm, yes", "Yes.")


async def test_content_may_be_a_list_of_parts(vendor: FakeVendor) -> None:
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}, {"type": "reference", "ids": [1]}]}
    vendor.will(stream(chunk({"content": [thought, {"type": "text", "text": "Yes."}]}), chunk({}, "stop")))

    said = await ask(openai_model(vendor))

    assert (said.thinking, said.text) == ("hm", "Yes.")


async def test_a_refusal_is_told_as_text_and_as_the_reason(vendor: FakeVendor) -> None:
    vendor.will(stream(chunk({"refusal": "I cannot."}), chunk({}, "stop")))

    said = await ask(openai_model(vendor))

    assert (said.text, said.ended.stop) == ("I cannot.", StopReason.REFUSED)


async def test_the_halves_of_an_emoji_in_two_pieces_are_joined(vendor: FakeVendor) -> None:
    halves = ['{"choices":[{"delta":{"content":"a\\ud83c"}}]}', '{"choices":[{"delta":{"content":"\\udf89b\\ud83c"}}]}']
    vendor.will(stream(*(data(half) for half in halves), chunk({"content": "c"}, "stop")))

    said = await ask(openai_model(vendor))

    assert said.ended.message.text == "a🎉b\ufffdc"
    assert said.text == said.ended.message.text


async def test_usage_and_the_final_done_may_be_missing(vendor: FakeVendor) -> None:
    vendor.will(stream(chunk({"content": "ok"}), chunk({}, "stop")))

    said = await ask(openai_model(vendor))

    assert (said.ended.message.text, said.ended.usage) == ("ok", Usage())


async def test_a_server_that_never_closes_a_finished_stream_is_not_waited_for(vendor: FakeVendor) -> None:
    vendor.will(stream(chunk({"content": "ok"}), chunk({}, "stop"), end=Hold()))

    said = await ask(openai_model(vendor))

    assert said.ended.message.text == "ok"


async def test_a_connection_that_breaks_behind_the_finish_costs_nothing(vendor: FakeVendor) -> None:
    vendor.will(stream(chunk({"content": "ok"}), chunk({}, "stop"), end=Drop()))

    said = await ask(openai_model(vendor))

    assert said.ended.message.text == "ok"


async def test_an_answer_as_plain_json_is_understood(vendor: FakeVendor) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "a", "arguments": '{"q":1}'}}
    message = {"role": "assistant", "content": "Here.", "tool_calls": [call]}
    vendor.will(answer({"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}], "usage": USAGE}))

    said = await ask(openai_model(vendor))

    assert said.text == "Here."
    assert [(call.id, call.name, call.arguments) for call in said.ended.message.calls] == [("c1", "a", {"q": 1})]
    assert said.ended.usage == Usage(11, 7, 4)


async def test_events_are_read_whatever_their_content_type(vendor: FakeVendor) -> None:
    vendor.will(stream(*openai_text("ok"), content_type="text/plain"))

    assert (await ask(openai_model(vendor))).text == "ok"


@pytest.mark.parametrize("end", [None, Drop()], ids=["closed", "cut"])
async def test_a_stream_that_ends_early_is_a_failure_and_nothing_half_built_is_kept(
    vendor: FakeVendor, end: Drop | None
) -> None:
    vendor.will(stream(chunk({"content": "The sensor"}), call_piece('{"q"', name="a", id="c"), end=end))

    said = await ask(openai_model(vendor))

    assert said.text == "The sensor"
    assert said.failure.kind is ModelFailure.BROKEN_ANSWER
    assert said.failure.code == "PROVIDER_ERROR"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"message": "Overloaded", "type": "overloaded_error"}, ModelFailure.OVERLOADED),
        ({"message": "busy", "code": 503}, ModelFailure.OVERLOADED),
        ({"message": "slow down", "code": "rate_limit_exceeded"}, ModelFailure.RATE_LIMITED),
        ({"message": "no", "type": "invalid_request_error"}, ModelFailure.REFUSED_REQUEST),
        ("it broke", ModelFailure.OVERLOADED),
    ],
)
async def test_an_error_inside_a_stream_is_a_failure_in_words(
    vendor: FakeVendor, error: Any, kind: ModelFailure
) -> None:
    vendor.will(stream(chunk({"content": "The sensor"}), data({"error": error})))

    said = await ask(openai_model(vendor))

    assert said.failure.kind is kind
    assert (error if isinstance(error, str) else error["message"]) in said.failure.message


@pytest.mark.parametrize("finish", ["error", "insufficient_system_resource"])
async def test_a_finish_that_reports_an_error_is_a_failure(vendor: FakeVendor, finish: str) -> None:
    vendor.will(stream(*openai_text("half", finish=finish)))

    assert (await ask(openai_model(vendor))).failure.kind is ModelFailure.BROKEN_ANSWER


@pytest.mark.parametrize("junk", ["not json", "[]", '{"choices": 7}', '{"choices":[{"delta":{"tool_calls":"x"}}]}'])
async def test_what_is_no_chunk_is_a_failure(vendor: FakeVendor, junk: str) -> None:
    vendor.will(stream(data(junk)))

    assert (await ask(openai_model(vendor))).failure.kind is ModelFailure.BROKEN_ANSWER


async def test_a_web_page_in_place_of_an_answer_points_to_the_address(vendor: FakeVendor) -> None:
    vendor.will(page("<html>router login</html>"))

    failure = (await ask(openai_model(vendor))).failure

    assert "model.base_url" in failure.message
    assert "router" not in failure.message


async def test_closing_the_stream_drops_the_connection_at_once(vendor: FakeVendor) -> None:
    vendor.will(stream(chunk({"content": "The sensor"}), end=Hold()))
    provider = openai_model(vendor)

    async with asyncio.timeout(10):
        async with aclosing(cast("Any", provider.stream(ModelRequest(system="", messages=HELLO)))) as events:
            assert await anext(events) == TextDelta("The sensor")
        await vendor.gone.wait()
    await provider.aclose()


async def test_cancelling_the_reader_drops_the_connection_at_once(vendor: FakeVendor) -> None:
    hold = Hold()
    vendor.will(stream(chunk({"content": "The sensor"}), end=hold))
    provider = openai_model(vendor)

    async with asyncio.timeout(10):
        reading = asyncio.create_task(heard(provider.stream(ModelRequest(system="", messages=HELLO))))
        await hold.reached.wait()
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await vendor.gone.wait()
    await provider.aclose()


async def test_a_silent_server_is_given_up_after_the_configured_time(vendor: FakeVendor) -> None:
    vendor.will(stream(chunk({"content": "The"}), end=Hold()))

    failure = (await ask(openai_model(vendor, timeout_s=0.2))).failure

    assert failure.kind is ModelFailure.UNREACHABLE
    assert "0.2 s" in failure.message
