"""A gateway that is stopped, killed or paused, and phones that are: nothing that was answered is lost."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect

from cetp_gateway.phone import Disconnected, PhoneLimits, Registered, VirtualPhone, read_fault
from support.phones import ENERGY, NOTES, SOON, Ear, shipped
from support.raw_phones import RawPhone, raw_phone
from support.served import CETP, Served, end, environment, served
from support.whole import WITHIN_S, open_settings, rest, send, take, until, whole

OPEN = {"CETP_SERVER_REQUIRE_PAIRING": "false", "CETP_MODEL_PROVIDER": "offline", "CETP_SESSIONS_TITLES": "false"}
QUESTION = "Which notebooks are there?"
STOPS_WITHIN_S = 5.0


def port_of(running: Served) -> int:
    return int(running.url.rpartition(":")[2])


@asynccontextmanager
async def asker(running: Served, session_id: str) -> AsyncIterator[ClientConnection]:
    url = f"ws://127.0.0.1:{port_of(running)}/ws/chat?session_id={session_id}"
    async with connect(url, compression=None, proxy=None, close_timeout=1) as socket:
        assert (await take(socket))["type"] == "session_start"
        yield socket


async def answered(running: Served, session_id: str) -> dict[str, Any]:
    async with asker(running, session_id) as socket:
        await send(socket, type="message", content=QUESTION)
        return (await until(socket, "done"))[-1]


async def messages(running: Served, session_id: str) -> list[dict[str, Any]]:
    async with httpx.AsyncClient(base_url=running.url, trust_env=False, timeout=WITHIN_S) as http:
        found: list[dict[str, Any]] = (await http.get(f"/api/sessions/{session_id}/messages")).json()["messages"]
    return found


async def exited(running: Served, number: signal.Signals) -> int:
    running.process.send_signal(number)
    async with asyncio.timeout(STOPS_WITHIN_S):
        return await running.process.wait()


async def unread(port: int) -> ClientConnection:
    """A client that has asked for much more than fits into the buffers between, and reads nothing."""
    socket = await connect(f"ws://127.0.0.1:{port}/ws/chat", compression=None, proxy=None, max_queue=1)
    phone = RawPhone(socket)
    tools = [{"name": f"t{n}", "description": "x" * 4000, "parameters": {"type": "object"}} for n in range(200)]
    await phone.say(type="register_tools", tools=tools)
    await until(socket, "tools_registered")
    socket.transport.pause_reading()
    for _ in range(8):
        await phone.say(type="get_registered_tools")
    return socket


async def test_sigterm_ends_everything_in_time_and_the_next_start_has_all_that_was_answered(tmp_path: Path) -> None:
    notes = shipped(NOTES)
    async with served(tmp_path, **OPEN) as first:
        port = port_of(first)
        async with (
            VirtualPhone(first.url, packs=[notes], faults=[read_fault("never#2")]) as phone,
            raw_phone(port, "lamp") as lamp,
            asker(first, "cut") as cut,
            httpx.AsyncClient(base_url=first.url, trust_env=False, timeout=WITHIN_S) as http,
        ):
            await phone.until_registered()
            done = await answered(first, "kitchen")
            await send(cut, type="message", content=QUESTION)
            await until(cut, "tool_call")
            call = asyncio.create_task(http.post("/api/tools/lamp/call", json={}))
            await lamp.called()
            idle_reader = await unread(port)
            _, half_request = await asyncio.open_connection("127.0.0.1", port)
            half_request.write(b"POST /webhook HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")

            assert await exited(first, signal.SIGTERM) == 0
            assert (await lamp.closing())[0] == 1012
            assert ((await call).status_code, (await call).json()["outcome"]) == (503, "device_gone")
            idle_reader.transport.abort()
            half_request.transport.abort()
            phone.stop()

    async with served(tmp_path, **OPEN) as second:
        kept = await messages(second, "kitchen")
        assert kept[-1]["content"] == done["full_response"]
        async with VirtualPhone(second.url, packs=[notes]) as phone:
            await phone.until_registered()
            assert (await answered(second, "cut"))["full_response"]
        assert [message["role"] for message in await messages(second, "cut")].count("user") == 2


async def test_a_kill_loses_nothing_that_was_answered_nor_a_token_that_was_handed_out(tmp_path: Path) -> None:
    closed = OPEN | {"CETP_SERVER_REQUIRE_PAIRING": "true"}
    async with served(tmp_path, **closed) as first:
        code = (await first.cetp("pair", "--no-wait")).out.strip()
        token = (await first.cetp("pair", "--code", code)).out.strip()
        headers = {"authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(base_url=first.url, trust_env=False, headers=headers, timeout=WITHIN_S) as http:
            answers = [
                (await http.post("/webhook", json={"message": f"hello {n}"}, headers={"x-session-id": "kitchen"}))
                for n in range(3)
            ]
            assert [answer.status_code for answer in answers] == [200] * 3
            first.process.kill()
            await first.process.wait()
    async with (
        served(tmp_path, **closed) as second,
        httpx.AsyncClient(base_url=second.url, trust_env=False, headers=headers, timeout=WITHIN_S) as http,
    ):
        kept = (await http.get("/api/sessions/kitchen/messages")).json()["messages"]
        assert [m["content"] for m in kept if m["role"] == "user"] == ["hello 0", "hello 1", "hello 2"]
        assert (await http.post("/webhook", json={"message": "again"})).status_code == 200


async def test_a_kill_in_the_middle_of_a_turn_leaves_a_session_that_goes_on(tmp_path: Path) -> None:
    notes = shipped(NOTES)
    async with (
        served(tmp_path, **OPEN) as first,
        VirtualPhone(first.url, packs=[notes], faults=[read_fault("never")]) as phone,
    ):
        await phone.until_registered()
        async with asker(first, "cut") as cut:
            await send(cut, type="message", content=QUESTION)
            await until(cut, "tool_call")
            first.process.kill()
            await first.process.wait()
            phone.stop()
    async with served(tmp_path, **OPEN) as second, VirtualPhone(second.url, packs=[notes]) as phone:
        await phone.until_registered()
        assert "tool" not in {message["role"] for message in await messages(second, "cut")}
        assert (await answered(second, "cut"))["full_response"]


async def test_a_phone_that_is_paused_is_told_from_one_that_thinks_and_comes_back_when_it_goes_on(
    tmp_path: Path,
) -> None:
    settings = open_settings(server={"ping_interval_s": 0.3, "ping_timeout_s": 0.7})
    async with whole(tmp_path, settings=settings) as running, rest(running) as http:
        process = await asyncio.create_subprocess_exec(
            *CETP, "phone", "--gateway", running.url, "--quiet", env=environment(tmp_path)
        )
        try:
            async with asyncio.timeout(WITHIN_S):
                await running_with(running, 1)
                process.send_signal(signal.SIGSTOP)
                answer = await http.post("/api/tools/notes__list_notebooks/call", json={})
                assert answer.json()["outcome"] == "device_gone"
                assert (await http.get("/api/health")).json()["devices"] == []
                process.send_signal(signal.SIGCONT)
                await running_with(running, 1)
            answer = await http.post("/api/tools/notes__list_notebooks/call", json={})
            assert answer.json()["outcome"] == "answered"
        finally:
            process.send_signal(signal.SIGCONT)
            await end(process)


async def running_with(running: Any, tools: int) -> None:
    """Wait until so many tools are offered."""
    registry = running.runtime.registry
    changed = asyncio.Event()
    forget = registry.subscribe(lambda _: changed.set())
    while registry.counts().usable < tools:
        changed.clear()
        await changed.wait()
    forget()


async def test_a_gateway_that_was_paused_goes_on_with_its_phones_where_it_stood(tmp_path: Path) -> None:
    ear = Ear()
    pings = {"CETP_SERVER_PING_INTERVAL_S": "0.3", "CETP_SERVER_PING_TIMEOUT_S": "0.3"}
    async with served(tmp_path, **OPEN, **pings) as running:
        limits = PhoneLimits(ping_s=0.4, close_s=0.3)
        async with (
            VirtualPhone(
                running.url, packs=[shipped(ENERGY), shipped(NOTES)], listener=ear, limits=limits, policy=SOON
            ) as phone,
            raw_phone(port_of(running), "lamp", device_id="patient") as lamp,
            httpx.AsyncClient(base_url=running.url, trust_env=False, timeout=WITHIN_S) as http,
        ):
            await phone.until_registered()
            running.process.send_signal(signal.SIGSTOP)
            # The phone finds out by its own pings, and waits outside.
            await ear.hear(Disconnected)
            running.process.send_signal(signal.SIGCONT)
            await ear.hear(Registered, 2)
            call = asyncio.create_task(http.post("/api/tools/lamp/call", json={}))
            await lamp.answer(await lamp.called(), "still here")
            assert (await call).json()["output"] == "still here"
            answer = await http.post("/api/tools/notes__list_notebooks/call", json={})
            assert answer.json()["outcome"] == "answered"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_second_signal_while_it_stops_changes_nothing(tmp_path: Path, number: signal.Signals) -> None:
    async with (
        served(tmp_path, **OPEN) as running,
        raw_phone(port_of(running), "lamp"),
    ):
        running.process.send_signal(signal.SIGTERM)
        assert await exited(running, number) == 0
