"""What the OpenAI-compatible adapter sends, and how it copes with each vendor's wishes."""

import asyncio
from collections.abc import AsyncIterator
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
from cetp_gateway.errors import ModelFailed, ModelFailure
from cetp_gateway.models import create_model
from cetp_gateway.settings.model import ModelSettings
from support.fake_vendor import FakeVendor, answer, stream
from support.heard import heard
from support.vendor_models import HELLO, ask, openai_model
from support.vendor_streams import call_piece, chunk, openai_calls, openai_text

ECHO = ToolSpec(name="echo", description="Says it again.", parameters={"type": "object", "properties": {}})


@pytest.fixture
async def vendor() -> AsyncIterator[FakeVendor]:
    async with FakeVendor() as server:
        yield server


@pytest.mark.requirement("runtime.overview.vendors")
async def test_the_request_is_what_a_chat_completions_server_expects(vendor: FakeVendor) -> None:
    vendor.will(stream(*openai_text("ok")))

    await ask(openai_model(vendor, api_key="k-1", temperature=0.5, max_output_tokens=99), tools=[ECHO])

    asked = vendor.requests[0]
    assert (asked.method, asked.path, asked.headers["authorization"]) == ("POST", "/v1/chat/completions", "Bearer k-1")
    assert asked.body == {
        "model": "m",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hello"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 99,
        "temperature": 0.5,
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "echo",
                    "description": "Says it again.",
                    "parameters": {"type": "object", "properties": {}},
                },
            }
        ],
    }


async def test_without_a_key_no_authorization_is_sent(vendor: FakeVendor) -> None:
    vendor.will(stream(*openai_text("ok")))

    await ask(openai_model(vendor))

    assert "authorization" not in vendor.requests[0].headers


async def test_one_request_without_streaming_carries_no_tools_and_no_calls(vendor: FakeVendor) -> None:
    vendor.will(answer({"choices": [{"message": {"content": "Boiler"}, "finish_reason": "stop"}]}))
    history: list[Message] = [
        UserMessage("boiler?"),
        AssistantMessage("", (ToolUse("c", "notes", {"q": 1}),)),
        ToolResults((ToolResult("c", "notes", "42"),)),
        AssistantMessage("It is 42."),
        UserMessage("Name this conversation."),
    ]
    provider = openai_model(vendor)

    title = await provider.complete(ModelRequest(system="", messages=history, tools=[ECHO]))
    await provider.aclose()

    body = vendor.requests[0].body
    assert title.text == "Boiler"
    assert (body["stream"], "tools" in body, "stream_options" in body) == (False, False, False)
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user", "assistant", "user"]
    assert "42" in body["messages"][2]["content"]


async def test_the_models_are_listed(vendor: FakeVendor) -> None:
    vendor.will(answer({"object": "list", "data": [{"id": "a", "object": "model"}, {"id": "b"}]}))
    provider = openai_model(vendor)

    assert await provider.models() == ["a", "b"]
    assert (vendor.requests[0].method, vendor.requests[0].path) == ("GET", "/v1/models")
    await provider.aclose()


async def test_without_a_name_a_server_of_ones_own_chooses_its_first_model(vendor: FakeVendor) -> None:
    vendor.will(answer({"data": [{"id": "qwen3"}, {"id": "llama"}]}), stream(*openai_text("ok")))
    provider = openai_model(vendor, name="")

    await ask(provider)

    assert vendor.requests[1].body["model"] == "qwen3"
    assert provider.model == "qwen3"


async def test_a_server_without_any_model_says_so(vendor: FakeVendor) -> None:
    vendor.will(answer({"data": None}))

    failure = (await ask(openai_model(vendor, "ollama", name=""))).failure

    assert failure.kind is ModelFailure.SETUP
    assert "model.name" in failure.message


async def test_history_goes_out_with_one_tool_message_for_each_call(vendor: FakeVendor) -> None:
    vendor.will(stream(*openai_text("ok")))
    calls = (ToolUse("t1", "x", {}), ToolUse("t2", "x", {"id": 18446744073709551616}), ToolUse("t3", "x", "{", "bad"))
    results = (
        ToolResult("t1", "x", "1"),
        ToolResult("t2", "x", "", is_error=True),
        ToolResult("t3", "x", "Error: gone", is_error=True),
    )

    await ask(
        openai_model(vendor),
        [UserMessage("a"), AssistantMessage("", calls), ToolResults(results), UserMessage("and now?")],
    )

    sent = vendor.requests[0].body["messages"][1:]
    assert [message["role"] for message in sent] == ["user", "assistant", "tool", "tool", "tool", "user"]
    assert [message["tool_call_id"] for message in sent[2:5]] == ["t1", "t2", "t3"]
    assert all(message["content"] for message in sent[2:5])
    assert [call["function"]["arguments"] for call in sent[1]["tool_calls"]] == [
        "{}",
        '{"id":18446744073709551616}',
        "{}",
    ]


async def test_ids_of_another_vendor_fit_mistral_and_stay_in_pairs(vendor: FakeVendor) -> None:
    vendor.will(stream(*openai_text("ok")))
    history: list[Message] = [
        UserMessage("a"),
        AssistantMessage("", (ToolUse("toolu_01D7FLrfh4GYq7yT1ULFeyMV", "x", {}),)),
        ToolResults((ToolResult("toolu_01D7FLrfh4GYq7yT1ULFeyMV", "x", "1"),)),
    ]

    await ask(openai_model(vendor, "mistral"), history)

    body = vendor.requests[0].body
    sent = body["messages"]
    call_id = sent[2]["tool_calls"][0]["id"]
    assert len(call_id) == 9
    assert call_id.isalnum()
    assert sent[3]["tool_call_id"] == call_id
    assert "stream_options" not in body


async def test_deepseek_gets_its_reasoning_back_with_calls(vendor: FakeVendor) -> None:
    vendor.will(
        stream(chunk({"reasoning_content": "hm"}), *openai_calls(call_piece("{}", name="a", id="c"))),
        stream(*openai_text("ok")),
    )
    said = await ask(openai_model(vendor, "deepseek"))
    other = AssistantMessage("", (ToolUse("d", "a", {}),))
    results = (ToolResults((ToolResult("c", "a", "1"),)), ToolResults((ToolResult("d", "a", "1"),)))

    await ask(openai_model(vendor, "deepseek"), [*HELLO, said.ended.message, results[0], other, results[1]])

    sent = vendor.requests[1].body["messages"]
    assert sent[2]["reasoning_content"] == "hm"
    assert sent[4]["reasoning_content"] == ""


async def test_gemini_gets_its_signatures_back_and_is_told_of_calls_without(vendor: FakeVendor) -> None:
    signed = {"google": {"thought_signature": "abc"}}
    piece = {"index": 0, "id": "c", "function": {"name": "a", "arguments": "{}"}, "extra_content": signed}
    vendor.will(stream(*openai_calls(chunk({"tool_calls": [piece]}))), stream(*openai_text("ok")))
    said = await ask(openai_model(vendor, "gemini"))
    other = AssistantMessage("", (ToolUse("d", "a", {}),))
    results = (ToolResults((ToolResult("c", "a", "1"),)), ToolResults((ToolResult("d", "a", "1"),)))

    await ask(openai_model(vendor, "gemini"), [*HELLO, said.ended.message, results[0], other, results[1]])

    sent = vendor.requests[1].body["messages"]
    assert sent[2]["tool_calls"][0]["extra_content"] == signed
    assert (
        sent[4]["tool_calls"][0]["extra_content"]["google"]["thought_signature"] == "skip_thought_signature_validator"
    )


async def test_more_tools_than_the_vendor_takes_are_cut_never_refused(
    vendor: FakeVendor, caplog: pytest.LogCaptureFixture
) -> None:
    vendor.will(stream(*openai_text("ok")))
    tools = [ToolSpec(name=f"app{n // 50}__tool_{n}", description="", parameters={}) for n in range(150)]
    model: Any = openai_model(vendor)

    await ask(model, tools=tools)

    names = [tool["function"]["name"] for tool in vendor.requests[0].body["tools"]]
    assert names == [tool.name for tool in tools[:128]]
    assert list(model.left_out) == [tool.name for tool in tools[128:]]
    assert "app2__tool_128 and those behind it, 22 in all" in caplog.text


async def test_nobody_listens_is_said_with_the_next_step() -> None:
    settings = ModelSettings(provider="ollama", name="m", base_url="http://127.0.0.1:9/v1", retries=0)

    failure = (await ask(create_model(settings, {}))).failure

    assert failure.kind is ModelFailure.UNREACHABLE
    assert "http://127.0.0.1:9/v1" in failure.message
    assert "ollama serve" in failure.message


async def test_one_model_serves_many_sessions_at_once(vendor: FakeVendor) -> None:
    vendor.will(*(stream(*openai_text(f"answer {n}")) for n in range(20)))
    provider = openai_model(vendor)

    async with asyncio.timeout(20), asyncio.TaskGroup() as group:
        tasks = [group.create_task(heard(provider.stream(ModelRequest(system="", messages=HELLO)))) for _ in range(20)]
    await provider.aclose()

    assert {task.result().text for task in tasks} == {f"answer {n}" for n in range(20)}


async def test_models_answer_that_is_no_list_is_a_failure(vendor: FakeVendor) -> None:
    vendor.will(answer(["x"]))
    provider = openai_model(vendor)

    with pytest.raises(ModelFailed, match="no list of models"):
        await provider.models()
    await provider.aclose()


@pytest.mark.parametrize(
    ("provider", "thinking", "sent"),
    [("groq", "low", "low"), ("groq", "off", "none"), ("groq", "auto", None), ("ollama", "high", None)],
)
async def test_effort_is_asked_for_where_it_is_understood(provider: str, thinking: str, sent: str | None) -> None:
    async with FakeVendor() as vendor:
        vendor.will(stream(*openai_text("ok")))

        await ask(openai_model(vendor, provider, thinking=thinking))

        assert vendor.requests[0].body.get("reasoning_effort") == sent


async def test_a_server_whose_calls_come_whole_is_asked_for_a_whole_answer_with_tools_and_a_stream_without() -> None:
    message = {
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "echo", "arguments": '{"a": 1}'}}],
        "function_call": {"name": "echo:", "arguments": '{"a": 1}'},
    }
    async with FakeVendor() as vendor:
        vendor.will(answer({"choices": [{"message": message, "finish_reason": "tool_calls"}]}))
        called = await ask(openai_model(vendor, "llama-cpp-python"), tools=[ECHO])
        vendor.will(stream(*openai_text("ok")))
        await ask(openai_model(vendor, "llama-cpp-python"))

        bodies = [request.body for request in vendor.requests]
    assert [(call.name, call.arguments) for call in called.ended.message.calls] == [("echo", {"a": 1})]
    assert (bodies[0]["stream"], bodies[0]["tool_choice"]) == (False, "auto")
    assert "stream_options" not in bodies[0]
    assert bodies[1]["stream"]
    assert "tool_choice" not in bodies[1]
