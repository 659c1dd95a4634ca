"""Calls whose phone, tool, browser or handler goes away while they run: each ends at once, and costs nobody else."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from cetp_gateway.api import (
    Arguments,
    AssistantMessage,
    CallContext,
    Effect,
    Message,
    ModelRequest,
    Outcome,
    ToolResults,
    ToolSpec,
    ToolUse,
)
from cetp_gateway.assemble import Parts
from cetp_gateway.phone import VirtualPhone
from cetp_gateway.server.serve import Gateway
from cetp_gateway.testing import Hold, ScriptedModel, ScriptedStep
from support.fake_vendor import FakeVendor, stream
from support.phones import NOTES, shipped
from support.proxy import Proxy
from support.raw_phones import raw_phone
from support.vendor_models import anthropic_model, openai_model
from support.vendor_streams import anthropic_text, call_piece, ended, openai_calls, openai_text, started, tool_block
from support.whole import call_step, chat, rest, send, until, whole


class Crashing:
    """A built-in tool that raises without a word."""

    spec = ToolSpec(
        name="crash", description="Crashes.", parameters={"type": "object", "properties": {}}, effect=Effect.READS
    )

    async def execute(self, arguments: Arguments, context: CallContext) -> Outcome:
        raise RuntimeError


async def open_calls(http: httpx.AsyncClient) -> int:
    devices = (await http.get("/api/health")).json()["devices"]
    return sum(device["open_calls"] for device in devices)


@pytest.mark.requirement("runtime.remote.cleanup")
async def test_calls_to_a_phone_that_goes_away_fail_and_those_to_another_go_on(tmp_path: Path) -> None:
    async with (
        whole(tmp_path) as running,
        rest(running) as http,
        Proxy(running.port) as path,
        raw_phone(path.port, "a", "b") as lost,
        raw_phone(running.port, "c", device_id="phone-2") as other,
    ):
        calls = [asyncio.create_task(http.post(f"/api/tools/{name}/call", json={})) for name in "abc"]
        requests = [await lost.called(), await lost.called()]
        for_other = await other.called()
        path.cut()
        for call in calls[:2]:
            assert ((await call).status_code, (await call).json()["outcome"]) == (503, "device_gone")

        async with raw_phone(running.port, "a", "b") as back:
            await back.answer(requests[0], "too late")
            assert not calls[2].done()
            await other.answer(for_other, "in time")
            assert (await calls[2]).json()["output"] == "in time"
            assert await open_calls(http) == 0

            again = asyncio.create_task(http.post("/api/tools/a/call", json={}))
            await back.answer(await back.called(), "anew")
            assert (await again).json()["output"] == "anew"


def anthropic_calls() -> list[str]:
    blocks = [tool_block(n, f"t{n + 1}", name, "{}") for n, name in enumerate(("good", "crash", "leaving"))]
    return [started(), *blocks, ended("tool_use")]


def chat_completion_calls() -> list[str]:
    names = ("good", "crash", "leaving")
    return openai_calls(*(call_piece("{}", name=name, id=f"t{n + 1}", index=n) for n, name in enumerate(names)))


async def ask_for_three(running: Gateway) -> None:
    """One question whose step calls three tools: one answers, one crashes, the phone of the third goes away."""
    async with (
        raw_phone(running.port, "good") as good,
        raw_phone(running.port, "leaving", device_id="p2") as leaving,
        chat(running) as socket,
    ):
        await send(socket, type="message", content="all three, please")
        request = await good.called()
        await leaving.called()
        leaving.socket.transport.abort()
        await good.answer(request, "fine")
        frames = await until(socket, "done")
        results = [frame for frame in frames if frame["type"] == "tool_result"]
        assert [result["name"] for result in results] == ["good", "crash", "leaving"]
        await send(socket, type="message", content="and now?")
        await until(socket, "done")


async def test_failed_calls_of_a_step_are_answered_in_one_message_in_order(tmp_path: Path) -> None:
    async with FakeVendor() as vendor:
        vendor.will(stream(*anthropic_calls()), stream(*anthropic_text("One.")), stream(*anthropic_text("Two.")))
        async with whole(tmp_path, anthropic_model(vendor), parts=Parts(tools=[Crashing()])) as running:
            await ask_for_three(running)
    for request in vendor.requests[1:]:
        results: list[dict[str, Any]] = request.body["messages"][2]["content"]
        assert [block["tool_use_id"] for block in results] == ["t1", "t2", "t3"]
        assert [block.get("is_error", False) for block in results] == [False, True, True]
        assert all(block["content"] for block in results)


async def test_failed_calls_of_a_step_are_answered_one_message_each_for_chat_completions(tmp_path: Path) -> None:
    async with FakeVendor() as vendor:
        vendor.will(stream(*chat_completion_calls()), stream(*openai_text("One.")), stream(*openai_text("Two.")))
        async with whole(tmp_path, openai_model(vendor), parts=Parts(tools=[Crashing()])) as running:
            await ask_for_three(running)
    for request in vendor.requests[1:]:
        messages = request.body["messages"]
        start = next(at for at, message in enumerate(messages) if message.get("tool_calls"))
        results = messages[start + 1 : start + 4]
        assert [(result["role"], result["tool_call_id"]) for result in results] == [
            ("tool", "t1"),
            ("tool", "t2"),
            ("tool", "t3"),
        ]
        assert all(result["content"] for result in results)


async def test_a_tool_removed_while_a_turn_that_saw_it_runs_is_an_error_of_that_call(tmp_path: Path) -> None:
    hold = Hold()
    calls = (*call_step("notes__list_notebooks", "c1").calls, *call_step("lamp", "c2").calls)
    steps = [ScriptedStep(text="wait ", hold=hold, calls=calls), ScriptedStep(text="One of them is gone.")]
    phone_of_notes = shipped(NOTES)
    async with (
        whole(tmp_path, steps) as running,
        chat(running) as socket,
        VirtualPhone(running.url, packs=[phone_of_notes]) as phone,
        raw_phone(running.port, "lamp") as lamp,
    ):
        await phone.until_registered()
        await send(socket, type="message", content="notebooks and lamp?")
        await hold.reached.wait()
        phone.uninstall(NOTES)
        await phone.until_registered()
        hold.released.set()
        await lamp.answer(await lamp.called(), "on")
        frames = await until(socket, "done")
    results = {frame["name"]: frame["output"] for frame in frames if frame["type"] == "tool_result"}
    assert results["lamp"] == "on"
    assert results["notes__list_notebooks"].startswith("Error: ")
    assert frames[-1]["full_response"].endswith("One of them is gone.")


def unanswered(messages: list[Message]) -> set[str]:
    asked = {call.id for message in messages if isinstance(message, AssistantMessage) for call in message.calls}
    answered = {
        result.call_id for message in messages if isinstance(message, ToolResults) for result in message.results
    }
    return asked ^ answered


async def test_a_browser_that_closes_during_a_call_leaves_a_session_that_goes_on(tmp_path: Path) -> None:
    model = ScriptedModel([call_step("lamp"), ScriptedStep(text="Here I am again.")])
    async with whole(tmp_path, model) as running, rest(running) as http:
        async with raw_phone(running.port, "lamp") as lamp:
            async with chat(running, "kitchen") as first:
                await send(first, type="message", content="is the lamp on?")
                await lamp.called()
                first.transport.abort()
            await until(lamp.socket, "tool_call_cancel")
            async with chat(running, "kitchen") as second:
                await send(second, type="message", content="hello?")
                assert (await until(second, "done"))[-1]["full_response"] == "Here I am again."
        stored = (await http.get("/api/sessions/kitchen/messages")).json()["messages"]
    assert unanswered(list(model.requests[1].messages)) == set()
    assert [message["role"] for message in stored].count("user") == 2


async def test_two_messages_to_one_session_at_once_stand_in_line_and_history_stays_whole(tmp_path: Path) -> None:
    def answer(request: ModelRequest) -> ScriptedStep:
        return call_step("lamp") if len(request.messages) in (1, 5) else ScriptedStep(text="It is on.")

    model = ScriptedModel([answer] * 4)
    async with (
        whole(tmp_path, model) as running,
        raw_phone(running.port, "lamp") as lamp,
        chat(running, "kitchen") as one,
        chat(running, "kitchen") as two,
    ):
        await send(one, type="message", content="first")
        await send(two, type="message", content="second")
        for _ in range(2):
            await lamp.answer(await lamp.called(), "on")
        for socket in (one, two):
            assert (await until(socket, "done"))[-1]["full_response"] == "It is on."
    assert [len(request.messages) for request in model.requests] == [1, 3, 5, 7]
    assert all(unanswered(list(request.messages)) == set() for request in model.requests)


async def test_a_call_that_overruns_is_told_and_its_late_answer_reaches_no_other_call(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, rest(running) as http, raw_phone(running.port, "lamp") as lamp:
        answer = await http.post("/api/tools/lamp/call", json={"timeout_ms": 50})
        assert (answer.status_code, answer.json()["outcome"]) == (504, "timed_out")
        late = await lamp.called()
        second = asyncio.create_task(http.post("/api/tools/lamp/call", json={}))
        request = await lamp.called()
        await lamp.answer(late, "of the first")
        await lamp.answer(request, "of the second")
        assert (await second).json()["output"] == "of the second"


async def test_an_app_that_is_asked_twice_under_one_id_by_a_model_answers_each_call(tmp_path: Path) -> None:
    twice = ScriptedStep(calls=(ToolUse("same", "lamp", {"n": 1}), ToolUse("same", "lamp", {"n": 2})))
    async with (
        whole(tmp_path, [twice, ScriptedStep(text="Both.")]) as running,
        raw_phone(running.port, "lamp") as lamp,
        chat(running) as socket,
    ):
        await send(socket, type="message", content="twice")
        requests = [await lamp.called(), await lamp.called()]
        for request in reversed(requests):
            await lamp.answer(request, f"n is {request['args']['n']}")
        frames = await until(socket, "done")
        assert [f["output"] for f in frames if f["type"] == "tool_result"] == ["n is 1", "n is 2"]
