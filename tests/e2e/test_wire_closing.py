"""How sockets of the ClawSeed wire protocol end: with which code, and what that costs others."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from cetp_gateway.server.serve import Gateway
from cetp_gateway.testing import Hold, ScriptedStep
from support.entered import entered
from support.whole import WITHIN_S, open_settings, rest, whole
from support.wire_client import WireClient, kinds, tool_entry, wire

SHARED = "cetp.shared"


@contextmanager
def changes(running: Gateway) -> Iterator[asyncio.Event]:
    """Set when the list of tools has changed, which it does when a device has gone."""
    changed = asyncio.Event()
    unsubscribe = running.runtime.registry.subscribe(lambda _: changed.set())
    try:
        yield changed
    finally:
        unsubscribe()


async def test_a_restart_closes_every_socket_with_1012_also_during_turns_and_calls(tmp_path: Path) -> None:
    steps = [ScriptedStep(text="Half", hold=Hold())]
    async with (
        whole(tmp_path, steps) as running,
        wire(running, "?session_id=s") as asking,
        wire(running) as phone,
        wire(running) as idle,
        rest(running) as http,
    ):
        await phone.introduce(SHARED)
        await phone.register("slow")
        call = asyncio.create_task(http.post("/api/tools/slow/call", json={}))
        await phone.hear("tool_call_request")
        await asking.say("message", content="a long story")
        await asking.hear("chunk")
        running.stop()
        for client in (asking, phone, idle):
            assert (await client.closing())[0] == 1012
        assert (await call).json()["outcome"] == "device_gone"
    async with whole(tmp_path) as running, wire(running, "?session_id=s") as again:
        assert again.greeting["message_count"] == 2


async def test_a_revoked_token_closes_its_sockets_with_4401_and_opens_none(tmp_path: Path) -> None:
    async with entered(tmp_path) as gateway:
        other = (await gateway.runtime.paired.pair("tablet")).token
        revoked = next(device.id for device in gateway.runtime.paired.list() if device.name == "test phone")
        async with (
            wire(gateway.running, token=gateway.token) as one,
            wire(gateway.running, token=gateway.token) as two,
            wire(gateway.running, token=other) as staying,
        ):
            assert (await gateway.http.delete(f"/admin/devices/{revoked}")).is_success
            assert (await one.closing())[0] == 4401
            assert (await two.closing())[0] == 4401
            await staying.nothing_waits()
        with pytest.raises(InvalidStatus) as refused:
            async with wire(gateway.running, token=gateway.token):
                pass
    assert refused.value.response.status_code == 401


async def test_the_newest_socket_of_a_device_wins_and_the_old_ones_tools_go(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, wire(running) as old, wire(running) as new, rest(running) as http:
        await old.introduce(SHARED)
        await old.register("a", "b")
        await new.introduce(SHARED)
        assert (await old.closing())[0] == 4409
        assert (await new.register("b", "c"))["registered"] == 2
        call = asyncio.create_task(http.post("/api/tools/b/call", json={}))
        await new.answer(await new.hear("tool_call_request"))
        assert (await call).json()["outcome"] == "answered"
        rows = (await http.get("/api/tools")).json()["tools"]
    assert {row["name"] for row in rows} == {"b", "c"}


async def test_a_call_to_the_old_socket_of_a_device_fails_when_the_new_one_takes_over(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, wire(running) as old, wire(running) as new, rest(running) as http:
        await old.introduce(SHARED)
        await old.register("a")
        call = asyncio.create_task(http.post("/api/tools/a/call", json={}))
        await old.hear("tool_call_request")
        await new.introduce(SHARED)
        assert (await call).json()["outcome"] == "device_gone"


async def test_one_device_id_under_two_tokens_is_two_devices(tmp_path: Path) -> None:
    async with entered(tmp_path) as gateway:
        other = (await gateway.runtime.paired.pair("tablet")).token
        async with (
            wire(gateway.running, token=gateway.token) as mine,
            wire(gateway.running, token=other) as yours,
        ):
            await mine.introduce(SHARED)
            await yours.introduce(SHARED)
            await mine.nothing_waits()
            await yours.nothing_waits()


async def test_a_device_that_does_not_read_is_closed_with_4408_and_slows_nobody(tmp_path: Path) -> None:
    settings = open_settings(limits={"pending_messages": 4, "pending_bytes": 64 * 1024})
    tools = [tool_entry(f"t{n}") | {"description": "x" * 8000} for n in range(100)]
    async with (
        whole(tmp_path, [ScriptedStep(text="hi")], settings=settings) as running,
        wire(running) as asleep,
        wire(running, "?name=Other") as other,
    ):
        await asleep.register(*tools)
        with changes(running) as gone:
            asleep.socket.transport.pause_reading()
            for _ in range(60):
                await asleep.say("get_registered_tools")
            assert (await other.ask())[-1]["full_response"] == "hi"
            async with asyncio.timeout(WITHIN_S):
                await gone.wait()
        asleep.socket.transport.resume_reading()
        assert await last_code(asleep) == 4408


async def last_code(client: WireClient) -> int:
    """Read on to the close, and quickly: who is slow is cut off without one."""
    async with asyncio.timeout(WITHIN_S):
        with suppress(ConnectionClosed):
            while True:
                await client.socket.recv()
    return client.socket.close_code or 0


async def test_a_flood_of_frames_is_closed_with_4429_and_names_the_limit(tmp_path: Path) -> None:
    settings = open_settings(limits={"frames_per_s": 20})
    async with whole(tmp_path, settings=settings) as running, wire(running) as flooding, wire(running) as other:
        with suppress(ConnectionClosed):
            for _ in range(300):
                await flooding.say("abort")
        assert await last_code(flooding) == 4429
        assert "limits.frames_per_s" in (flooding.socket.close_reason or "")
        await other.nothing_waits()


async def test_a_half_open_socket_is_noticed_and_its_tools_go(tmp_path: Path) -> None:
    settings = open_settings(server={"ping_interval_s": 0.3, "ping_timeout_s": 0.3})
    async with whole(tmp_path, settings=settings) as running, wire(running) as asleep, rest(running) as http:
        await asleep.introduce(SHARED)
        await asleep.register("a")
        call = asyncio.create_task(http.post("/api/tools/a/call", json={}))
        await asleep.hear("tool_call_request")
        with changes(running) as gone:
            asleep.socket.transport.pause_reading()
            assert (await call).json()["outcome"] == "device_gone"
            async with asyncio.timeout(WITHIN_S):
                await gone.wait()
        assert (await http.get("/api/tools")).json()["tools"] == []


async def test_binary_frames_are_ignored_at_any_time(tmp_path: Path) -> None:
    async with whole(tmp_path, [ScriptedStep(text="hi")]) as running, wire(running) as client:
        await client.socket.send(b'{"type":"connect"}')
        await client.introduce()
        await client.socket.send(b"\xff\x00")
        assert kinds(await client.ask()) == ["chunk", "chunk_reset", "done"]
        await client.socket.send(b"")


@pytest.mark.parametrize("code", [1000, 1001, 3000])
async def test_a_client_that_closes_is_answered_with_its_own_code(tmp_path: Path, code: int) -> None:
    async with whole(tmp_path) as running, wire(running) as client:
        async with asyncio.timeout(WITHIN_S):
            await client.socket.close(code, "bye")
        assert client.socket.close_code == code
