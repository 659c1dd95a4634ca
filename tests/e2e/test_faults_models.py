"""Faults of the model's side, seen from the user's socket: errors in a stream, silence, odd calls, choosy vendors."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cetp_gateway.api import ModelProvider
from cetp_gateway.models import create_model
from cetp_gateway.phone import VirtualPhone
from cetp_gateway.settings.model import ModelSettings
from support.blackhole import Blackhole
from support.fake_vendor import Drop, FakeVendor, Reply, answer, event, stream
from support.phones import pack, tool
from support.raw_phones import raw_phone
from support.vendor_models import anthropic_model, openai_model
from support.vendor_streams import (
    anthropic_text,
    call_piece,
    ended,
    openai_calls,
    openai_text,
    started,
    text_block,
    tool_block,
)
from support.whole import WITHIN_S, Frame, chat, rest, send, take, until, whole

OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}


async def last_of_turn(socket: Any) -> list[Frame]:
    """All frames of a turn, up to `done` or `error`."""
    frames = [await take(socket)]
    while frames[-1]["type"] not in {"done", "error"}:
        frames.append(await take(socket))
    return frames


@pytest.mark.requirement("runtime.principles.retry")
async def test_an_error_before_anything_was_shown_is_tried_again_unseen(tmp_path: Path) -> None:
    async with FakeVendor() as vendor:
        vendor.will(stream(started(), event(OVERLOADED)), stream(*anthropic_text("There you are.")))
        async with whole(tmp_path, anthropic_model(vendor, retries=2)) as running, chat(running) as socket:
            await send(socket, type="message", content="hello")
            frames = await last_of_turn(socket)
    assert frames[-1]["full_response"] == "There you are."
    assert len(vendor.requests) == 2


def half_a_call(end: str) -> Reply:
    """Text, a started call with half its arguments, and then an error, the end, or a broken connection."""
    events = [started(), text_block(0, "The sensor"), tool_block(1, "t1", "lamp", '{"q"', stops=False)]
    if end == "error":
        return stream(*events, event(OVERLOADED))
    return stream(*events, end=Drop() if end == "cut" else None)


@pytest.mark.parametrize("end", ["error", "closed", "cut"])
async def test_an_answer_that_breaks_off_is_a_failed_turn_that_runs_nothing_and_leaves_nothing(
    tmp_path: Path, end: str
) -> None:
    async with FakeVendor() as vendor:
        vendor.will(half_a_call(end), stream(*anthropic_text("Now it works.")))
        async with (
            whole(tmp_path, anthropic_model(vendor, retries=2)) as running,
            raw_phone(running.port, "lamp") as phone,
            chat(running, "kitchen") as socket,
            rest(running) as http,
        ):
            await send(socket, type="message", content="how warm is it?")
            frames = await last_of_turn(socket)
            assert [frame["type"] for frame in frames] == ["chunk", "error"]
            assert frames[-1]["code"] == "PROVIDER_ERROR"
            failed = (await http.get("/api/sessions/kitchen/messages")).json()["messages"]
            assert "The sensor" not in [message["content"] for message in failed]

            await send(socket, type="message", content="again, please")
            assert (await last_of_turn(socket))[-1]["full_response"] == "Now it works."
            await phone.say(type="register_tools", tools=[])
            assert [frame["type"] for frame in await until(phone.socket, "tools_registered")] == ["tools_registered"]
    assert len(vendor.requests) == 2
    replayed = vendor.requests[1].body["messages"]
    assert "t1" not in str(replayed)
    assert "The sensor" not in str(replayed)


@pytest.mark.parametrize("written", ["", "  ", None])
async def test_a_call_without_arguments_runs_once_and_is_replayed_as_an_empty_object(
    tmp_path: Path, written: str | None
) -> None:
    async with FakeVendor() as vendor:
        vendor.will(
            stream(*openai_calls(call_piece(written, name="battery", id="c1"))),
            stream(*openai_text("Half full.")),
            stream(*openai_text("Still.")),
        )
        async with (
            whole(tmp_path, openai_model(vendor)) as running,
            raw_phone(running.port, "battery") as phone,
            chat(running) as socket,
        ):
            await send(socket, type="message", content="battery?")
            request = await phone.called()
            assert request["args"] == {}
            await phone.answer(request, "50 %")
            await until(socket, "done")
            await send(socket, type="message", content="and now?")
            await until(socket, "done")
    for later in vendor.requests[1:]:
        (asked,) = [message for message in later.body["messages"] if message.get("tool_calls")]
        assert msgspec.json.decode(asked["tool_calls"][0]["function"]["arguments"]) == {}


async def test_an_empty_input_of_the_messages_api_is_an_empty_object_too(tmp_path: Path) -> None:
    async with FakeVendor() as vendor:
        vendor.will(
            stream(started(), tool_block(0, "t1", "battery", ""), ended("tool_use")),
            stream(*anthropic_text("Half full.")),
        )
        async with (
            whole(tmp_path, anthropic_model(vendor)) as running,
            raw_phone(running.port, "battery") as phone,
            chat(running) as socket,
        ):
            await send(socket, type="message", content="battery?")
            await phone.answer(await phone.called(), "50 %")
            await until(socket, "done")
    assert vendor.requests[1].body["messages"][1]["content"][0]["input"] == {}


async def test_arguments_that_are_no_json_go_back_to_the_model_with_a_true_reason_and_reach_no_phone(
    tmp_path: Path,
) -> None:
    async with FakeVendor() as vendor:
        vendor.will(
            stream(*openai_calls(call_piece('{"a":', name="lamp", id="c1"))),
            stream(*openai_calls(call_piece('{"a":1}', name="lamp", id="c2"))),
            stream(*openai_text("On.")),
        )
        async with (
            whole(tmp_path, openai_model(vendor)) as running,
            raw_phone(running.port, "lamp") as phone,
            chat(running) as socket,
        ):
            await send(socket, type="message", content="lamp?")
            request = await phone.called()
            assert request["args"] == {"a": 1}
            await phone.answer(request, "on")
            await until(socket, "done")
    (told,) = [message for message in vendor.requests[1].body["messages"] if message["role"] == "tool"]
    assert "JSON" in told["content"]
    assert "too long" not in told["content"]


CHOICE = {
    "type": "object",
    "properties": {"id": {"type": "string"}, "day": {"type": "string"}},
    "anyOf": [{"required": ["id"]}, {"required": ["day"]}],
}


async def test_a_choice_at_the_top_of_a_schema_stops_no_turn_and_is_checked_before_the_phone_is_asked(
    tmp_path: Path,
) -> None:
    tools = ({"name": "find_reading", "description": "Finds it.", "parameters": CHOICE}, "list_days")
    async with FakeVendor() as vendor:
        vendor.will(
            stream(started(), tool_block(0, "t1", "find_reading", "{}"), ended("tool_use")),
            stream(started(), tool_block(0, "t2", "find_reading", '{"day":"2026-01-01"}'), ended("tool_use")),
            stream(*anthropic_text("12 kWh.")),
        )
        async with (
            whole(tmp_path, anthropic_model(vendor)) as running,
            raw_phone(running.port, *tools) as phone,
            chat(running) as socket,
        ):
            await send(socket, type="message", content="how much on new year?")
            request = await phone.called()
            assert request["args"] == {"day": "2026-01-01"}
            await phone.answer(request, "12")
            assert (await until(socket, "done"))[-1]["full_response"] == "12 kWh."
    offered = vendor.requests[0].body["tools"]
    assert [entry["name"] for entry in offered] == ["find_reading", "list_days"]
    assert not {"anyOf", "oneOf", "allOf"} & set(offered[0]["input_schema"])
    (refused,) = vendor.requests[1].body["messages"][-1]["content"]
    assert (refused["tool_use_id"], refused["is_error"]) == ("t1", True)


async def test_arguments_in_quotes_are_unpacked_where_an_object_belongs_and_text_stays_text(tmp_path: Path) -> None:
    parameters = {"type": "object", "properties": {"filter": {"type": "object"}, "note": {"type": "string"}}}
    given = {"filter": '{"day":"2026-01-01"}', "note": '{"a":1}'}
    text = msgspec.json.encode(given).decode()
    wanted = {"filter": {"day": "2026-01-01"}, "note": '{"a":1}'}
    async with FakeVendor() as vendor:
        twice = msgspec.json.encode(text).decode()
        vendor.will(
            stream(*openai_calls(call_piece(text, name="find", id="c1"))),
            stream(*openai_calls(call_piece(twice, name="find", id="c2"))),
            stream(*openai_text("Found.")),
        )
        async with (
            whole(tmp_path, openai_model(vendor)) as running,
            raw_phone(running.port, {"name": "find", "description": "Finds.", "parameters": parameters}) as phone,
            chat(running) as socket,
        ):
            await send(socket, type="message", content="find it")
            for _ in range(2):
                request = await phone.called()
                assert request["args"] == wanted
                await phone.answer(request, '"{\\"t\\":1}"')
            frames = await until(socket, "done")
    assert [frame["output"] for frame in frames if frame["type"] == "tool_result"] == ['"{\\"t\\":1}"'] * 2


@pytest.mark.parametrize("alias", ["openai", "anthropic"])
async def test_a_model_that_never_answers_ends_its_turn_with_words_and_holds_up_nobody(
    tmp_path: Path, alias: str
) -> None:
    async with (
        Blackhole() as silent,
        whole(tmp_path, silent_model(alias, silent)) as running,
        chat(running) as socket,
        raw_phone(running.port, "lamp") as phone,
        rest(running) as http,
    ):
        await send(socket, type="message", content="hello?")
        async with asyncio.timeout(WITHIN_S):
            await silent.reached.wait()
        call = asyncio.create_task(http.post("/api/tools/lamp/call", json={}))
        await phone.answer(await phone.called(), "on")
        assert (await call).json()["output"] == "on"
        assert (await last_of_turn(socket))[-1]["code"] == "PROVIDER_ERROR"


def silent_model(alias: str, silent: Blackhole) -> ModelProvider:
    return create_model(
        ModelSettings(provider=alias, name="m", base_url=silent.url, api_key="k-1", timeout_s=1.0, retries=0),
        {},
    )


async def test_a_turn_that_waits_for_a_silent_model_can_be_stopped(tmp_path: Path) -> None:
    async with Blackhole() as silent:
        model = create_model(ModelSettings(provider="openai", name="m", base_url=silent.url, retries=0), {})
        async with whole(tmp_path, model) as running, chat(running) as socket:
            await send(socket, type="message", content="hello?")
            async with asyncio.timeout(WITHIN_S):
                await silent.reached.wait()
            await send(socket, type="abort")
            await until(socket, "aborted")


async def test_more_tools_than_a_vendor_takes_are_chosen_by_rule_and_the_rest_stays_callable(tmp_path: Path) -> None:
    packs = [
        pack(*(tool(f"get_{app}_{n}") for n in range(50)), package=f"com.example.{app}")
        for app in ("one", "two", "six")
    ]
    async with FakeVendor() as vendor:
        vendor.will(stream(*openai_text("Hello.")))
        async with (
            whole(tmp_path, openai_model(vendor)) as running,
            VirtualPhone(running.url, packs=packs) as phone,
            chat(running) as socket,
            rest(running) as http,
        ):
            await phone.until_registered()
            await send(socket, type="message", content="get two 17, please")
            assert (await until(socket, "done"))[-1]["full_response"] == "Hello."
            rows = (await http.get("/api/tools")).json()["tools"]
            sent = [entry["function"]["name"] for entry in vendor.requests[0].body["tools"]]
            assert len(sent) == 128
            assert any("two_17" in name for name in sent)
            left_out = next(row["name"] for row in rows if row["name"] not in sent)
            called = await http.post(f"/api/tools/{left_out}/call", json={})
            assert called.json()["outcome"] == "answered"
    assert len(rows) == 150


async def test_a_refused_request_is_told_in_the_vendors_words_and_the_session_goes_on(tmp_path: Path) -> None:
    refusal = answer({"type": "error", "error": {"type": "invalid_request_error", "message": "tools.0: no"}}, 400)
    async with FakeVendor() as vendor:
        vendor.will(refusal, stream(*anthropic_text("Better.")))
        async with whole(tmp_path, anthropic_model(vendor, retries=2)) as running, chat(running) as socket:
            await send(socket, type="message", content="one")
            error = (await last_of_turn(socket))[-1]
            assert (error["code"], "tools.0: no" in error["message"]) == ("PROVIDER_ERROR", True)
            await send(socket, type="message", content="two")
            assert (await last_of_turn(socket))[-1]["full_response"] == "Better."
    assert len(vendor.requests) == 2
