"""Calls as chat completions servers stream them: in pieces, without ids, with broken arguments."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from cetp_gateway.api import (
    AssistantMessage,
    Message,
    StopReason,
    ToolResult,
    ToolResults,
    ToolUse,
    UserMessage,
)
from support.fake_vendor import FakeVendor, stream
from support.vendor_models import ask, openai_model
from support.vendor_streams import call_piece, chunk, openai_calls


@pytest.fixture
async def vendor() -> AsyncIterator[FakeVendor]:
    async with FakeVendor() as server:
        yield server


async def calls_of(vendor: FakeVendor, *fragments: str, finish: str = "tool_calls") -> tuple[ToolUse, ...]:
    vendor.will(stream(*openai_calls(*fragments, finish=finish)))
    said = await ask(openai_model(vendor))
    assert said.ended.stop is StopReason.TOOL_USE
    return said.ended.message.calls


def told(calls: tuple[ToolUse, ...]) -> list[tuple[str, str, Any]]:
    return [(call.id, call.name, call.arguments) for call in calls]


@pytest.mark.parametrize(
    "fragments",
    [
        [call_piece('{"q":1}', name="a", id="c1"), call_piece('{"q":2}', name="b", id="c2")],
        [
            call_piece('{"q"', name="a", id="c1"),
            call_piece('{"q"', name="b", id="c2", index=1),
            call_piece(":1}"),
            call_piece(":2}", index=1),
        ],
        [call_piece('{"q":1}', name="a", id="c1", index=None), call_piece('{"q":2}', name="b", id="c2", index=None)],
        [
            call_piece('{"q"', name="a", id="c1", index=None),
            call_piece(":1}", index=None),
            call_piece("", name="b", id="c2", index=None),
            call_piece('{"q":2}', index=None),
        ],
        [
            call_piece("", name="a", id="c1"),
            call_piece('{"q":', name="a", id="c1"),
            call_piece("1}", id="c1"),
            call_piece("", name="b", id="c2"),
            call_piece('{"q":2}', id="c2"),
        ],
        [call_piece({"q": 1}, name="a", id="c1"), call_piece({"q": 2}, name="b", id="c2")],
    ],
    ids=["one index, new ids", "interleaved", "no index", "no index, in pieces", "id repeated", "objects"],
)
async def test_calls_that_share_an_index_stay_apart(vendor: FakeVendor, fragments: list[str]) -> None:
    assert told(await calls_of(vendor, *fragments)) == [("c1", "a", {"q": 1}), ("c2", "b", {"q": 2})]


async def test_calls_without_ids_are_told_apart_by_their_names_and_get_ids(vendor: FakeVendor) -> None:
    calls = await calls_of(
        vendor, call_piece('{"q":1}', name="a"), call_piece('{"q":2}', name="a"), call_piece("", name="b")
    )

    assert [(call.name, call.arguments) for call in calls] == [("a", {"q": 1}), ("a", {"q": 2}), ("b", {})]
    assert len({call.id for call in calls}) == 3
    assert all(call.id for call in calls)


async def test_an_id_that_the_conversation_has_already_is_replaced(vendor: FakeVendor) -> None:
    vendor.will(stream(*openai_calls(call_piece("{}", name="a", id="call_0"))))
    history: list[Message] = [
        UserMessage("one"),
        AssistantMessage("", (ToolUse("call_0", "a", {}),)),
        ToolResults((ToolResult("call_0", "a", "1"),)),
        UserMessage("two"),
    ]

    said = await ask(openai_model(vendor), history)

    assert said.ended.message.calls[0].id not in ("", "call_0")


async def test_the_function_call_of_old_servers_is_a_call(vendor: FakeVendor) -> None:
    fragments = [
        chunk({"function_call": {"name": "a", "arguments": '{"q"'}}),
        chunk({"function_call": {"arguments": ":1}"}}),
    ]

    calls = await calls_of(vendor, *fragments, finish="function_call")

    assert [(call.name, call.arguments) for call in calls] == [("a", {"q": 1})]


@pytest.mark.parametrize("arguments", ["", "  ", None, "null", "{}", '"{}"'])
async def test_no_arguments_are_the_empty_object(vendor: FakeVendor, arguments: str | None) -> None:
    (call,) = await calls_of(vendor, call_piece(arguments, name="home__battery", id="t1"))

    assert (call.arguments, call.problem) == ({}, "")


async def test_arguments_encoded_twice_are_unwrapped_once(vendor: FakeVendor) -> None:
    sent = '"{\\"filter\\":\\"{\\\\\\"day\\\\\\":1}\\",\\"note\\":\\"x\\"}"'

    (call,) = await calls_of(vendor, call_piece(sent, name="a", id="t1"))

    assert call.arguments == {"filter": '{"day":1}', "note": "x"}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ('{"a":', "not valid JSON"),
        ('{"a":1}{"b":2}', "not valid JSON"),
        ("[1]", "must be a JSON object, but they are a list"),
        ("7", "must be a JSON object, but they are a number"),
        ('"hello"', "must be a JSON object, but they are a text"),
        ("true", "must be a JSON object, but they are true or false"),
        ("[" * 20000, "not valid JSON"),
        ('{"n":' + "9" * 5000 + "}", "not valid JSON"),
    ],
)
async def test_unreadable_arguments_are_a_call_with_a_true_reason(
    vendor: FakeVendor, arguments: str, reason: str
) -> None:
    (call,) = await calls_of(vendor, call_piece(arguments, name="a", id="t1"))

    assert reason in call.problem


async def test_large_numbers_keep_their_digits(vendor: FakeVendor) -> None:
    numbers = '{"id":9007199254740993,"max":9223372036854775807,"over":18446744073709551616}'

    (call,) = await calls_of(vendor, call_piece(numbers, name="echo", id="t1"))

    assert call.arguments == {"id": 9007199254740993, "max": 9223372036854775807, "over": 18446744073709551616}


async def test_calls_beside_stop_are_meant(vendor: FakeVendor) -> None:
    assert len(await calls_of(vendor, call_piece("{}", name="a", id="c"), finish="stop")) == 1


@pytest.mark.parametrize(
    ("finish", "stop"),
    [("length", StopReason.LENGTH), ("content_filter", StopReason.REFUSED), ("something new", StopReason.END)],
)
async def test_a_step_that_did_not_end_with_its_calls_has_none(
    vendor: FakeVendor, finish: str, stop: StopReason
) -> None:
    vendor.will(
        stream(*openai_calls(chunk({"content": "so far"}), call_piece('{"q":', name="a", id="c"), finish=finish))
    )

    said = await ask(openai_model(vendor))

    assert said.ended.stop is stop
    assert said.ended.message == AssistantMessage("so far")
