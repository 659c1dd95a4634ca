"""Calls of a device's tools over its socket of the ClawSeed wire protocol, asked for over REST and by turns."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from cetp_gateway.server.serve import Gateway
from cetp_gateway.testing import ScriptedModel, ScriptedStep
from support.whole import WITHIN_S, Frame, call_step, open_settings, rest, whole
from support.wire_client import WireClient, kinds, wire

SHARED = "cetp.shared"


class Caller:
    """Asks for tools over REST."""

    def __init__(self, http: httpx.AsyncClient, tasks: asyncio.TaskGroup) -> None:
        self._http = http
        self._tasks = tasks

    def call(self, name: str, **body: Any) -> asyncio.Task[Frame]:
        """The outcome, once there is one."""
        return self._tasks.create_task(self._ask(name, body))

    async def _ask(self, name: str, body: dict[str, Any]) -> Frame:
        async with asyncio.timeout(WITHIN_S):
            outcome: Frame = (await self._http.post(f"/api/tools/{name}/call", json=body)).json()
        return outcome


@asynccontextmanager
async def caller(running: Gateway) -> AsyncIterator[Caller]:
    async with rest(running) as http, asyncio.TaskGroup() as tasks:
        yield Caller(http, tasks)


@pytest.mark.requirement("runtime.remote.frames")
async def test_calls_reach_their_device_and_answers_their_callers_in_any_order(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, wire(running) as phone, caller(running) as rest_caller:
        await phone.introduce(SHARED)
        await phone.register("echo")
        calls = [rest_caller.call("echo", arguments={"n": n}) for n in range(5)]
        requests = {frame["args"]["n"]: frame for frame in [await phone.hear("tool_call_request") for _ in calls]}
        for n in (4, 1, 0, 3, 2):
            await phone.answer(requests[n], f"answer {n}")
        outcomes = [await call for call in calls]
    assert outcomes == [{"outcome": "answered", "output": f"answer {n}"} for n in range(5)]


@pytest.mark.parametrize(
    ("output", "told"),
    [("", ""), ("[]", "[]"), ({"n": 2**64 + 1}, '{"n":18446744073709551617}'), ([None], "[null]"), (7, "7")],
)
async def test_an_output_that_is_no_text_counts_as_its_json_text(tmp_path: Path, output: object, told: str) -> None:
    async with whole(tmp_path) as running, wire(running) as phone, caller(running) as rest_caller:
        await phone.introduce(SHARED)
        await phone.register("echo")
        call = rest_caller.call("echo")
        await phone.say("tool_result", id=(await phone.hear("tool_call_request"))["id"], output=output)
        assert (await call)["output"].replace(" ", "") == told


async def test_an_answer_counts_on_the_socket_that_was_asked_and_once(tmp_path: Path) -> None:
    async with (
        whole(tmp_path) as running,
        wire(running) as phone,
        wire(running) as stranger,
        caller(running) as rest_caller,
    ):
        await phone.introduce(SHARED)
        await phone.register("echo")
        call = rest_caller.call("echo")
        request = await phone.hear("tool_call_request")
        await stranger.answer(request, "forged")
        await phone.answer(request, "right")
        await phone.answer(request, "second")
        await phone.answer({"id": "never asked"}, "made up")
        assert (await call)["output"] == "right"


async def test_an_answer_without_an_id_is_dropped_without_a_word(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, wire(running) as phone:
        for wrong in ({}, {"id": ""}, {"id": 7}, {"call_id": "c1"}):
            await phone.say("tool_result", output="x", **wrong)
            await phone.say("tool_error", error="x", **wrong)
        await phone.nothing_waits()


async def test_a_call_that_is_not_answered_ends_and_a_late_answer_reaches_nobody(tmp_path: Path) -> None:
    model = ScriptedModel([call_step("echo"), ScriptedStep(text="It took too long.")])
    settings = open_settings(limits={"tool_timeout_s": 0.1})
    async with whole(tmp_path, model, settings=settings) as running, wire(running) as phone:
        await phone.register("echo")
        await phone.say("message", content="hello?")
        frames = await phone.until("done")
        request = next(frame for frame in frames if frame["type"] == "tool_call_request")
        result = next(frame for frame in frames if frame["type"] == "tool_result")
        assert result["output"].startswith("Error: ")
        assert "tool_call_cancel" not in kinds(frames)
        await phone.answer(request, "late")
        await phone.nothing_waits()
    assert "timed out" in str(model.requests[1].messages[-1])


async def test_who_knows_deadlines_is_told_what_is_left_and_the_id_of_the_logs(tmp_path: Path) -> None:
    async with (
        whole(tmp_path) as running,
        wire(running) as phone,
        wire(running) as plain,
        caller(running) as rest_caller,
    ):
        await phone.introduce(SHARED, "cetp.deadline")
        await phone.register("timed")
        await plain.introduce(SHARED, device_id="phone-2")
        await plain.register("untimed")
        call = rest_caller.call("timed", timeout_ms=9_000)
        request = await phone.hear("tool_call_request")
        assert 0 < request["deadline_ms"] <= 9_000
        assert request["call_id"] not in ("", request["id"])
        await phone.answer(request)
        other = rest_caller.call("untimed", timeout_ms=9_000)
        request = await plain.hear("tool_call_request")
        assert set(request) == {"type", "id", "name", "args"}
        await plain.answer(request)
        await asyncio.gather(call, other)


async def test_a_missed_deadline_is_told_to_the_device_that_can_cancel(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, wire(running) as phone, caller(running) as rest_caller:
        await phone.introduce(SHARED, "cetp.cancel")
        await phone.register("slow")
        call = rest_caller.call("slow", timeout_ms=100)
        request = await phone.hear("tool_call_request")
        assert (await phone.hear("tool_call_cancel"))["id"] == request["id"]
        assert (await call)["outcome"] == "timed_out"


async def test_calls_beyond_the_limit_of_a_device_are_refused_and_the_open_one_goes_on(tmp_path: Path) -> None:
    settings = open_settings(limits={"calls_per_device": 1})
    async with whole(tmp_path, settings=settings) as running, wire(running) as phone, caller(running) as rest_caller:
        await phone.introduce(SHARED)
        await phone.register("echo")
        open_call = rest_caller.call("echo")
        request = await phone.hear("tool_call_request")
        refused = await rest_caller.call("echo")
        assert (refused["outcome"], refused["code"]) == ("refused", "RATE_LIMITED")
        await phone.answer(request, "ok")
        assert (await open_call)["output"] == "ok"


async def test_shared_tools_serve_the_turns_of_every_session(tmp_path: Path) -> None:
    model = ScriptedModel([call_step("lamp__state"), ScriptedStep(text="It is on.")])
    async with whole(tmp_path, model) as running, wire(running) as phone, wire(running, "?name=Mine") as browser:
        await phone.introduce(SHARED)
        await phone.register("lamp__state")
        await browser.say("message", content="is it on?")
        await phone.answer(await phone.hear("tool_call_request"), "on")
        frames = await browser.until("done")
        assert kinds(frames)[:2] == ["tool_call", "tool_result"]
        assert frames[1]["output"] == "on"
        await phone.nothing_waits()


async def test_a_device_gets_its_own_name_of_a_tool_and_everybody_else_the_public_one(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, wire(running) as phone, caller(running) as rest_caller:
        await phone.introduce(SHARED, "cetp.registration")
        (verdict,) = (await phone.register("notes/día"))["tools"]
        assert verdict["state"] == "renamed"
        call = rest_caller.call(verdict["public_name"])
        request = await phone.hear("tool_call_request")
        assert request["name"] == "notes/día"
        await phone.answer(request)
        await call
        assert list(await phone.held()) == ["notes/día"]


async def test_equal_names_of_two_devices_are_told_apart_and_each_gets_its_own_calls(tmp_path: Path) -> None:
    async with (
        whole(tmp_path) as running,
        wire(running) as kitchen,
        wire(running) as attic,
        caller(running) as rest_caller,
        rest(running) as http,
    ):
        phones: dict[str, WireClient] = {"kitchen": kitchen, "attic": attic}
        for name, phone in phones.items():
            await phone.introduce(SHARED, device_id=name, device_name=name)
            await phone.register("lamp__state")
        rows = (await http.get("/api/tools")).json()["tools"]
        assert len({row["name"] for row in rows}) == 2
        for row in rows:
            call = rest_caller.call(row["name"])
            request = await phones[row["device"]].hear("tool_call_request")
            assert request["name"] == "lamp__state"
            await phones[row["device"]].answer(request, row["device"])
            assert (await call)["output"] == row["device"]
