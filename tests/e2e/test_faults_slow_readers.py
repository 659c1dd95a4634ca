"""Clients that do not read, or read slowly: they are cut off at a bound, memory stays near it."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
from websockets.asyncio.client import ClientConnection, connect

from cetp_gateway.api import AssistantMessage, ModelEvent, ModelRequest, StepEnded, StopReason, ThinkingDelta
from cetp_gateway.testing import ScriptedModel, ScriptedStep
from support.odd_models import SilentModel
from support.raw_phones import RawPhone, raw_phone
from support.served import served
from support.whole import WITHIN_S, chat, open_settings, rest, send, take, until, whole

MIB = 1024 * 1024
OPEN = {"CETP_SERVER_REQUIRE_PAIRING": "false", "CETP_MODEL_PROVIDER": "offline"}
MAY_GROW = 64 * MIB
"""Above the bound of one client (limits.pending_bytes, 8 MiB) with all that Python and the system add to it."""


class TalkativeModel(SilentModel):
    """Thinks aloud in numbered pieces of 10 KB, letting others run in between."""

    def __init__(self, pieces: int) -> None:
        super().__init__("")
        self._pieces = pieces

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        for number in range(self._pieces):
            yield ThinkingDelta(f"{number:05} ".ljust(10_000, "x"))
            await asyncio.sleep(0)
        yield StepEnded(AssistantMessage("That was all."), StopReason.END)


def memory(pid: int, *, peak: bool = False) -> int:
    """Bytes that a process holds, or the most that it has ever held."""
    kind = "VmHWM:" if peak else "VmRSS:"
    status = Path(f"/proc/{pid}/status").read_text()
    return 1024 * int(next(line for line in status.splitlines() if line.startswith(kind)).split()[1])


async def silent_reader(port: int, session_id: str) -> RawPhone:
    """A client whose system takes little and which reads nothing."""
    url = f"ws://127.0.0.1:{port}/ws/chat?session_id={session_id}"
    socket = await connect(url, compression=None, proxy=None, max_queue=1, ping_interval=None)
    assert (await take(socket))["type"] == "session_start"
    return RawPhone(socket)


async def until_cut(socket: ClientConnection) -> int:
    """Read on until the gateway's close has come; its code, 1006 when only the cut connection shows."""
    socket.transport.resume_reading()
    return (await RawPhone(socket).closing())[0]


async def test_ten_thousand_events_reach_a_reader_in_order_while_one_that_does_not_read_is_cut_off(
    tmp_path: Path,
) -> None:
    settings = open_settings(limits={"pending_bytes": MIB, "pending_messages": 1000})
    async with whole(tmp_path, TalkativeModel(10_000), settings=settings) as running:
        stuck = await silent_reader(running.port, "stuck")
        await stuck.say(type="message", content="go on")
        stuck.socket.transport.pause_reading()
        async with chat(running, "reading") as reading:
            await send(reading, type="message", content="go on")
            frames = await until(reading, "done")
        numbers = [int(frame["content"].split()[0]) for frame in frames if frame["type"] == "thinking"]
        assert numbers == list(range(10_000))
        assert [row for row in running.runtime.devices.rows() if row.session_id == "stuck"] == []
        assert running.runtime.conversations.running() == ()
        assert await until_cut(stuck.socket) in {4408, 1006}


async def test_a_long_answer_in_many_small_pieces_is_shown_and_stored_whole(tmp_path: Path) -> None:
    settings = open_settings(limits={"pending_messages": 100_000})
    text = "".join(f"{number:06}. " for number in range(30_000))
    async with (
        whole(tmp_path, ScriptedModel([ScriptedStep(text=text)]), settings=settings) as running,
        chat(running) as socket,
        rest(running) as http,
    ):
        await send(socket, type="message", content="count")
        frames = await until(socket, "done")
        stored = (await http.get("/api/sessions/s/messages")).json()["messages"]
    assert "".join(frame["content"] for frame in frames if frame["type"] == "chunk") == text
    assert frames[-1]["full_response"] == stored[-1]["content"] == text


async def test_clients_that_ask_much_and_read_nothing_do_not_fill_the_memory(tmp_path: Path) -> None:
    async with served(tmp_path, **OPEN) as running:
        port = int(running.url.rpartition(":")[2])
        async with raw_phone(port, "lamp") as lamp, httpx.AsyncClient(base_url=running.url, trust_env=False) as http:
            before = memory(running.process.pid)
            readers = [await _asks_for_much(port, f"stuck-{n}") for n in range(3)]
            for reader in readers:
                assert await until_cut(reader.socket) in {4408, 1006}
            assert memory(running.process.pid, peak=True) - before < MAY_GROW + len(readers) * 8 * MIB
            await _still_works(http, lamp)


async def _asks_for_much(port: int, session_id: str) -> RawPhone:
    """Register 800 KB of tools and ask for the list 1000 times, which makes 800 MB of answers."""
    client = await silent_reader(port, session_id)
    tools = [{"name": f"t{n}", "description": "x" * 4000, "parameters": {"type": "object"}} for n in range(200)]
    await client.say(type="register_tools", tools=tools)
    await until(client.socket, "tools_registered")
    client.socket.transport.pause_reading()
    for _ in range(1000):
        await client.say(type="get_registered_tools")
    return client


async def _still_works(http: httpx.AsyncClient, lamp: RawPhone) -> None:
    async with asyncio.timeout(WITHIN_S):
        call = asyncio.create_task(http.post("/api/tools/lamp/call", json={}))
        await lamp.answer(await lamp.called(), "on")
        assert (await call).json()["output"] == "on"


async def test_requests_whose_answers_are_never_read_do_not_fill_the_memory(tmp_path: Path) -> None:
    async with served(tmp_path, **OPEN) as running:
        port = int(running.url.rpartition(":")[2])
        async with raw_phone(port, "lamp") as lamp, httpx.AsyncClient(base_url=running.url, trust_env=False) as http:
            tools = [{"name": f"t{n}", "description": "x" * 4000, "parameters": {"type": "object"}} for n in range(200)]
            await lamp.offer("lamp", *tools)
            before = memory(running.process.pid)
            writers = []
            for _ in range(4):
                reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
                del reader
                writer.write(b"GET /api/tools HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200)
                writers.append(writer)
            await _still_works(http, lamp)
            assert (await http.get("/health")).status_code == 200
            assert memory(running.process.pid, peak=True) - before < MAY_GROW
            for writer in writers:
                writer.transport.abort()


async def test_phones_that_come_and_go_leave_nothing_in_the_memory(tmp_path: Path) -> None:
    async with served(tmp_path, **OPEN) as running:
        port = int(running.url.rpartition(":")[2])
        async with httpx.AsyncClient(base_url=running.url, trust_env=False) as http:
            built_in = (await http.get("/api/health")).json()["tools"]["accepted"]
            await _come_and_go(port, 40)
            before = memory(running.process.pid, peak=True)
            await _come_and_go(port, 160)
            assert memory(running.process.pid, peak=True) - before < 24 * MIB
            health = (await http.get("/api/health")).json()
        assert (health["devices"], health["tools"]["accepted"]) == ([], built_in)


async def _come_and_go(port: int, times: int) -> None:
    """Phones with 200 KB of tools each, all different, under ever new ids."""
    for number in range(times):
        tools = [
            {
                "name": f"t{n}",
                "description": f"{times}-{number}-{n} ".ljust(4000, "x"),
                "parameters": {"type": "object"},
            }
            for n in range(50)
        ]
        async with raw_phone(port, *tools, device_id=f"phone-{times}-{number}") as phone:
            await phone.socket.close()
