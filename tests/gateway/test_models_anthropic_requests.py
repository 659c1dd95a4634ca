"""What the Anthropic adapter sends: history in the API's shape, cached prompts, thinking word for word."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from cetp_gateway.api import (
    AssistantMessage,
    Message,
    ModelRequest,
    ToolResult,
    ToolResults,
    ToolSpec,
    ToolUse,
    UserMessage,
)
from cetp_gateway.errors import ModelFailure
from cetp_gateway.models import create_model
from cetp_gateway.settings.model import ModelSettings
from support.fake_vendor import FakeVendor, answer, stream
from support.vendor_models import HELLO, anthropic_model, ask
from support.vendor_streams import anthropic_text, block, ended, started, text_block, tool_block

ECHO = ToolSpec(name="echo", description="Says it again.", parameters={"type": "object", "properties": {}})


@pytest.fixture
async def vendor() -> AsyncIterator[FakeVendor]:
    async with FakeVendor() as server:
        yield server


async def sent(vendor: FakeVendor, messages: Sequence[Message], **settings: Any) -> list[dict[str, Any]]:
    """The messages of a request with this history."""
    vendor.will(stream(*anthropic_text("ok")))
    await ask(anthropic_model(vendor, **settings), messages)
    body: list[dict[str, Any]] = vendor.requests[-1].body["messages"]
    return body


@pytest.mark.requirement("runtime.overview.vendors")
async def test_the_request_is_what_the_messages_api_expects(vendor: FakeVendor) -> None:
    vendor.will(stream(*anthropic_text("ok")))

    await ask(anthropic_model(vendor, temperature=0.5, max_output_tokens=99), tools=[ECHO, ECHO])

    asked = vendor.requests[0]
    cached = {"cache_control": {"type": "ephemeral"}}
    tool = {
        "name": "echo",
        "description": "Says it again.",
        "input_schema": {"type": "object", "properties": {}},
    }
    assert (asked.method, asked.path, asked.headers["authorization"]) == ("POST", "/v1/messages", "Bearer k-1")
    assert asked.body == {
        "model": "m",
        "max_tokens": 99,
        "stream": True,
        "system": [{"type": "text", "text": "Be brief.", **cached}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "hello", **cached}]}],
        "tools": [tool, {**tool, **cached}],
    }


async def test_a_tool_with_a_choice_at_its_root_or_a_broken_reference_does_not_stop_the_turn(
    vendor: FakeVendor,
) -> None:
    vendor.will(stream(*anthropic_text("ok")))
    day = {"type": "object", "properties": {"id": {"type": "string"}, "day": {"type": "string"}}}
    parameters: dict[str, dict[str, Any]] = {
        "find_reading": {**day, "anyOf": [{"required": ["id"]}, {"required": ["day"]}]},
        "list_days": {"type": "object", "properties": {}},
        "dangling": {"type": "object", "properties": {"x": {"$ref": "#/$defs/gone"}}},
    }
    tools = [ToolSpec(name=name, description="", parameters=schema) for name, schema in parameters.items()]
    model: Any = anthropic_model(vendor)

    said = await ask(model, tools=tools)

    sent_tools = vendor.requests[0].body["tools"]
    assert said.text == "ok"
    assert [tool["name"] for tool in sent_tools] == ["find_reading", "list_days"]
    assert not any({"anyOf", "oneOf", "allOf"} & set(tool["input_schema"]) for tool in sent_tools)
    assert list(model.left_out) == ["dangling"]


async def test_results_of_parallel_calls_are_one_message_in_order_before_any_text(vendor: FakeVendor) -> None:
    calls = tuple(ToolUse(f"t{n}", "x", {}) for n in (1, 2, 3))
    results = (
        ToolResult("t1", "x", "1"),
        ToolResult("t2", "x", "", is_error=True),
        ToolResult("t3", "x", "Error: the phone is gone", is_error=True),
    )

    messages = await sent(
        vendor, [UserMessage("a"), AssistantMessage("", calls), ToolResults(results), UserMessage("and now?")]
    )

    assert [message["role"] for message in messages] == ["user", "assistant", "user"]
    assert [content["type"] for content in messages[1]["content"]] == ["tool_use"] * 3
    last = messages[2]["content"]
    assert [content["type"] for content in last] == ["tool_result"] * 3 + ["text"]
    assert [content.get("tool_use_id") for content in last[:3]] == ["t1", "t2", "t3"]
    assert [content.get("is_error", False) for content in last[:3]] == [False, True, True]
    assert all(content["content"] for content in last[:3])


async def test_messages_of_one_side_become_one_and_empty_ones_none(vendor: FakeVendor) -> None:
    history: list[Message] = [UserMessage("a"), AssistantMessage(" "), UserMessage("b"), UserMessage("")]

    messages = await sent(vendor, history)

    assert [message["role"] for message in messages] == ["user"]
    assert [content["text"] for content in messages[0]["content"]] == ["a", "b", "(no text)"]


async def test_arguments_are_replayed_as_an_object(vendor: FakeVendor) -> None:
    calls = (ToolUse("t1", "x", {}), ToolUse("t2", "x", '{"a":', "not JSON"), ToolUse("t3", "x", {"n": 2**64}))
    results = tuple(ToolResult(call.id, "x", "1") for call in calls)

    messages = await sent(vendor, [UserMessage("a"), AssistantMessage("", calls), ToolResults(results)])

    assert [content["input"] for content in messages[1]["content"]] == [{}, {}, {"n": 2**64}]


async def test_ids_and_names_that_the_api_refuses_are_replaced_in_pairs(vendor: FakeVendor) -> None:
    calls = (ToolUse("functions.get:0", "made.up/name", {}),)
    history: list[Message] = [
        UserMessage("a"),
        AssistantMessage("", calls),
        ToolResults((ToolResult("functions.get:0", "x", "1"),)),
    ]

    messages = await sent(vendor, history)

    used, result = messages[1]["content"][0], messages[2]["content"][0]
    assert used["name"] == "made_up_name"
    assert used["id"].isalnum()
    assert result["tool_use_id"] == used["id"]


async def think(vendor: FakeVendor, model: str = "m") -> AssistantMessage:
    """A step with signed thinking and a call."""
    thinking = block(
        0,
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "thinking_delta", "thinking": "hm"},
        {"type": "signature_delta", "signature": "c2ln"},
    )
    hidden = block(1, {"type": "redacted_thinking", "data": "eHh4"})
    events = [started(), thinking, hidden, text_block(2, "Let me see."), tool_block(3, "t1", "x", '{"q":1}')]
    vendor.will(stream(*events, ended("tool_use")))
    return (await ask(anthropic_model(vendor, name=model))).ended.message


async def test_thinking_comes_back_word_for_word(vendor: FakeVendor) -> None:
    message = await think(vendor)

    messages = await sent(vendor, [*HELLO, message, ToolResults((ToolResult("t1", "x", "1"),))])

    assert messages[1]["content"] == [
        {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "eHh4"},
        {"type": "text", "text": "Let me see."},
        {"type": "tool_use", "id": "t1", "name": "x", "input": {"q": 1}},
    ]


@pytest.mark.parametrize(
    "change",
    [{"model": "another"}, {"calls": ()}, {"replay": '{"adapter":"anthropic"'}, {"replay": "[]"}],
    ids=["another model", "other calls", "broken", "no object"],
)
async def test_thinking_that_does_not_belong_here_is_left_out(vendor: FakeVendor, change: dict[str, Any]) -> None:
    message = await think(vendor, change.get("model", "m"))
    changed = AssistantMessage(message.text, change.get("calls", message.calls), change.get("replay", message.replay))
    results: list[Message] = [ToolResults((ToolResult("t1", "x", "1"),))] if changed.calls else []

    messages = await sent(vendor, [*HELLO, changed, *results])

    kinds = [content["type"] for content in messages[1]["content"]]
    assert kinds == ["text", "tool_use"] if changed.calls else ["text"]


async def test_one_request_without_streaming_carries_no_tools_and_no_calls(vendor: FakeVendor) -> None:
    content = [{"type": "thinking", "thinking": "hm", "signature": "x"}, {"type": "text", "text": "Boiler"}]
    message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": content}
    usage = {"input_tokens": 1, "output_tokens": 1}
    vendor.will(answer({**message, "stop_reason": "end_turn", "stop_sequence": None, "usage": usage}))
    call = AssistantMessage("", (ToolUse("c", "notes", {}),))
    history: list[Message] = [
        UserMessage("boiler?"),
        call,
        ToolResults((ToolResult("c", "notes", "42"),)),
        UserMessage("Name it."),
    ]
    provider = anthropic_model(vendor)

    title = await provider.complete(ModelRequest(system="", messages=history, tools=[ECHO]))
    await provider.aclose()

    body = vendor.requests[0].body
    assert title.text == "Boiler"
    assert "tools" not in body
    assert not body.get("stream")
    assert {content["type"] for message in body["messages"] for content in message["content"]} == {"text"}


async def test_the_models_are_listed(vendor: FakeVendor) -> None:
    listed = [
        {"id": name, "type": "model", "display_name": name, "created_at": "2026-01-01T00:00:00Z"} for name in ("a", "b")
    ]
    vendor.will(answer({"data": listed, "has_more": False, "first_id": "a", "last_id": "b"}))
    provider = anthropic_model(vendor)

    assert await provider.models() == ["a", "b"]
    await provider.aclose()


async def test_another_server_without_a_key_is_sent_none(vendor: FakeVendor) -> None:
    vendor.will(stream(*anthropic_text("ok")))

    await ask(anthropic_model(vendor, api_key=""))

    assert not {"authorization", "x-api-key"} & set(vendor.requests[0].headers)


async def test_without_a_key_anthropic_is_not_even_asked() -> None:
    failure = (await ask(create_model(ModelSettings(provider="anthropic", retries=0), {}))).failure

    assert (failure.kind, failure.code) == (ModelFailure.AUTH, "AUTH_ERROR")
    assert "ANTHROPIC_API_KEY" in failure.message


async def test_nobody_listens_is_said_with_the_address() -> None:
    settings = ModelSettings(provider="anthropic", api_key="k", base_url="http://127.0.0.1:9", retries=0)

    failure = (await ask(create_model(settings, {}))).failure

    assert failure.kind is ModelFailure.UNREACHABLE
    assert "http://127.0.0.1:9" in failure.message


async def test_the_sdk_does_not_retry_by_itself(vendor: FakeVendor) -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    vendor.will(answer(error, 529), answer(error, 529))

    failure = (await ask(anthropic_model(vendor))).failure

    assert failure.kind is ModelFailure.OVERLOADED
    assert len(vendor.requests) == 1


@pytest.mark.parametrize(
    ("thinking", "model", "sent"),
    [
        ("auto", "claude-sonnet-5-5", {}),
        ("off", "claude-sonnet-5-5", {"thinking": {"type": "disabled"}}),
        (
            "high",
            "claude-sonnet-5-5",
            {"thinking": {"type": "adaptive", "display": "summarized"}, "output_config": {"effort": "high"}},
        ),
        (
            "low",
            "anthropic.claude-opus-4-6",
            {"thinking": {"type": "adaptive", "display": "summarized"}, "output_config": {"effort": "low"}},
        ),
        ("medium", "claude-haiku-4-5-20251001", {"thinking": {"type": "enabled", "budget_tokens": 8192}}),
        ("max", "claude-haiku-4-5", {"thinking": {"type": "enabled", "budget_tokens": 18976}}),
    ],
)
async def test_thinking_is_asked_for_as_each_claude_takes_it(thinking: str, model: str, sent: dict[str, Any]) -> None:
    async with FakeVendor() as vendor:
        vendor.will(stream(*anthropic_text("ok")))

        await ask(anthropic_model(vendor, name=model, thinking=thinking, max_output_tokens=20_000))

        body = vendor.requests[0].body
    assert {key: body[key] for key in ("thinking", "output_config") if key in body} == sent


async def test_only_the_newest_message_ends_what_the_vendor_keeps() -> None:
    call = ToolUse("t1", "echo", {})
    messages: list[Message] = [
        UserMessage("a"),
        AssistantMessage("", (call,)),
        ToolResults((ToolResult("t1", "echo", "1"),)),
    ]
    async with FakeVendor() as vendor:
        vendor.will(stream(*anthropic_text("ok")))

        await ask(anthropic_model(vendor), messages)

        sent = vendor.requests[0].body["messages"]
    assert ["cache_control" in message["content"][-1] for message in sent] == [False, False, True]
