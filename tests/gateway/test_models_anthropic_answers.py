"""Answers of the Messages API, whole, broken off, or in odd shapes, through the official SDK."""

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
from support.fake_vendor import Drop, FakeVendor, Hold, answer, event, page, stream
from support.heard import heard
from support.vendor_models import HELLO, anthropic_model, ask
from support.vendor_streams import anthropic_text, block, ended, started, text_block, tool_block

OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}


@pytest.fixture
async def vendor() -> AsyncIterator[FakeVendor]:
    async with FakeVendor() as server:
        yield server


async def test_text_is_streamed_and_the_step_ends_with_all_of_it(vendor: FakeVendor) -> None:
    vendor.will(stream(*anthropic_text("The sensor ", "is fine.")))

    said = await ask(anthropic_model(vendor))

    assert said.events[:2] == [TextDelta("The sensor "), TextDelta("is fine.")]
    assert said.ended == StepEnded(AssistantMessage("The sensor is fine."), StopReason.END, Usage(10, 5))


async def test_tokens_from_a_cache_count_as_input(vendor: FakeVendor) -> None:
    counts = {"cache_read_input_tokens": 100, "cache_creation_input_tokens": 20}
    vendor.will(stream(started(**counts), text_block(0, "ok"), ended(output_tokens=3)))

    said = await ask(anthropic_model(vendor))

    assert said.ended.usage == Usage(input_tokens=130, output_tokens=3, cached_input_tokens=100, cache_write_tokens=20)


@pytest.mark.parametrize("every", [1, 5])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
async def test_pieces_may_end_anywhere(vendor: FakeVendor, every: int, line_end: str) -> None:
    call = tool_block(1, "t1", "a", '{"q":', '"é"}')
    events = [started(), ": keepalive\n\n", text_block(0, "读取 🎉"), call, ended("tool_use")]
    vendor.will(stream(*(each.replace("\n", line_end) for each in events), every=every))

    said = await ask(anthropic_model(vendor))

    assert said.text == "读取 🎉"
    assert [(each.id, each.name, each.arguments) for each in said.ended.message.calls] == [("t1", "a", {"q": "é"})]
    assert said.ended.stop is StopReason.TOOL_USE


@pytest.mark.parametrize("parts", [[""], [], ["{}"], ["", "  "]])
async def test_no_arguments_are_the_empty_object(vendor: FakeVendor, parts: list[str]) -> None:
    vendor.will(stream(started(), tool_block(0, "t1", "home__battery", *parts), ended("tool_use")))

    (call,) = (await ask(anthropic_model(vendor))).ended.message.calls

    assert (call.arguments, call.problem) == ({}, "")


async def test_arguments_may_come_whole_with_the_start_of_their_block(vendor: FakeVendor) -> None:
    whole = {"type": "tool_use", "id": "t1", "name": "a", "input": {"q": 18446744073709551616}}
    vendor.will(stream(started(), block(0, whole), ended("tool_use")))

    (call,) = (await ask(anthropic_model(vendor))).ended.message.calls

    assert call.arguments == {"q": 18446744073709551616}


async def test_unreadable_arguments_are_a_call_with_a_true_reason(vendor: FakeVendor) -> None:
    vendor.will(stream(started(), tool_block(0, "t1", "a", '{"a":'), ended("tool_use")))

    (call,) = (await ask(anthropic_model(vendor))).ended.message.calls

    assert "not valid JSON" in call.problem


async def test_large_numbers_keep_their_digits(vendor: FakeVendor) -> None:
    numbers = '{"id":9007199254740993,"over":18446744073709551616}'
    vendor.will(stream(started(), tool_block(0, "t1", "echo", *numbers), ended("tool_use")))

    (call,) = (await ask(anthropic_model(vendor))).ended.message.calls

    assert call.arguments == {"id": 9007199254740993, "over": 18446744073709551616}


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("max_tokens", StopReason.LENGTH),
        ("refusal", StopReason.REFUSED),
        ("pause_turn", StopReason.PAUSED),
        ("something_new", StopReason.END),
    ],
)
async def test_a_step_that_did_not_end_with_its_calls_has_none(
    vendor: FakeVendor, reason: str, stop: StopReason
) -> None:
    vendor.will(stream(started(), text_block(0, "so far"), tool_block(1, "t", "a", '{"q":'), ended(reason)))

    said = await ask(anthropic_model(vendor))

    assert said.ended.stop is stop
    assert (said.ended.message.text, said.ended.message.calls) == ("so far", ())


async def test_thinking_is_shown_and_not_part_of_the_answer(vendor: FakeVendor) -> None:
    thinking = block(
        0, {"type": "thinking", "thinking": "", "signature": ""}, {"type": "thinking_delta", "thinking": "hm"}
    )
    vendor.will(stream(started(), thinking, text_block(1, "Yes."), ended()))

    said = await ask(anthropic_model(vendor))

    assert (said.thinking, said.ended.message.text) == ("hm", "Yes.")


async def test_unknown_events_blocks_and_deltas_are_passed_over(vendor: FakeVendor) -> None:
    odd = block(0, {"type": "hologram", "data": "x"}, {"type": "hologram_delta", "data": "y"})
    vendor.will(stream(started(), event({"type": "weather"}), odd, text_block(1, "ok"), ended()))

    assert (await ask(anthropic_model(vendor))).text == "ok"


@pytest.mark.parametrize("end", [event(OVERLOADED), "", Drop()], ids=["error event", "closed", "cut"])
async def test_a_stream_that_ends_early_is_a_failure_and_nothing_half_built_is_kept(
    vendor: FakeVendor, end: Any
) -> None:
    events = [started(), text_block(0, "The sensor"), tool_block(1, "t1", "a", '{"q"', stops=False)]
    vendor.will(stream(*events, *([end] if isinstance(end, str) else []), end=None if isinstance(end, str) else end))

    said = await ask(anthropic_model(vendor))

    assert said.text == "The sensor"
    assert said.failure.kind is (ModelFailure.OVERLOADED if end == event(OVERLOADED) else ModelFailure.BROKEN_ANSWER)


async def test_a_connection_that_breaks_behind_the_stop_reason_costs_nothing(vendor: FakeVendor) -> None:
    vendor.will(stream(started(), text_block(0, "ok"), ended().split("event: message_stop")[0], end=Drop()))

    assert (await ask(anthropic_model(vendor))).ended.message.text == "ok"


@pytest.mark.parametrize(
    "junk",
    [
        "event: message_start\ndata: {broken\n\n",
        "event: content_block_start\ndata: 7\n\n",
        event({"type": "content_block_delta", "index": "x", "delta": 3}),
        event({"type": "content_block_start", "index": 0, "content_block": "text"}),
        "event: message_start\ndata: {}\n\n",
    ],
)
async def test_what_is_no_event_is_a_failure(vendor: FakeVendor, junk: str) -> None:
    vendor.will(stream(started(), junk))

    assert (await ask(anthropic_model(vendor))).failure.kind is ModelFailure.BROKEN_ANSWER


async def test_a_server_that_speaks_another_language_is_a_failure(vendor: FakeVendor) -> None:
    vendor.will(answer({"choices": []}), page("<html>router login</html>"))

    assert (await ask(anthropic_model(vendor))).failure.kind is ModelFailure.BROKEN_ANSWER
    assert (await ask(anthropic_model(vendor))).failure.kind is ModelFailure.BROKEN_ANSWER


async def test_closing_the_stream_drops_the_connection_at_once(vendor: FakeVendor) -> None:
    vendor.will(stream(started(), text_block(0, "The sensor"), end=Hold()))
    provider = anthropic_model(vendor)

    async with asyncio.timeout(10):
        async with aclosing(cast("Any", provider.stream(ModelRequest(system="", messages=HELLO)))) as events:
            assert await anext(events) == TextDelta("The sensor")
        await vendor.gone.wait()
    await provider.aclose()


async def test_cancelling_the_reader_drops_the_connection_at_once(vendor: FakeVendor) -> None:
    hold = Hold()
    vendor.will(stream(started(), text_block(0, "The sensor"), end=hold))
    provider = anthropic_model(vendor)

    async with asyncio.timeout(10):
        reading = asyncio.create_task(heard(provider.stream(ModelRequest(system="", messages=HELLO))))
        await hold.reached.wait()
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await vendor.gone.wait()
    await provider.aclose()


async def test_a_silent_server_is_given_up_after_the_configured_time(vendor: FakeVendor) -> None:
    vendor.will(stream(started(), text_block(0, "The"), end=Hold()))

    failure = (await ask(anthropic_model(vendor, timeout_s=0.2))).failure

    assert failure.kind is ModelFailure.UNREACHABLE
    assert "0.2 s" in failure.message
