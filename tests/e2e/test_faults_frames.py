"""Frames that no client should send, on live sockets: each costs at most its own socket, and the gateway answers on."""

import asyncio
import logging
import struct
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Opcode

from cetp_gateway.testing import ScriptedModel
from support.raw_phones import raw_phone
from support.whole import chat, open_settings, rest, send, take, until, whole
from support.wild_frames import is_well, says_hello, wire, write_frame


async def test_bytes_that_are_no_utf8_close_their_socket_with_1007_and_no_other(tmp_path: Path) -> None:
    async with (
        whole(tmp_path, ScriptedModel([says_hello])) as running,
        rest(running) as http,
        raw_phone(running.port, "lamp") as phone,
        raw_phone(running.port, device_id="phone-2") as broken,
    ):
        call = asyncio.create_task(http.post("/api/tools/lamp/call", json={}))
        request = await phone.called()
        write_frame(broken.socket, Opcode.TEXT, b'{"type":"connect","device_name":"\xff\xfe"}')
        assert (await broken.closing())[0] == 1007
        await phone.answer(request, "on")
        assert (await call).json()["output"] == "on"
        await is_well(running)


@pytest.mark.parametrize(
    ("opcode", "data"),
    [
        (Opcode.CONT, b"{}"),
        (Opcode.TEXT, b"\xed\xa0\x80"),
        (Opcode.CLOSE, b"\x03"),
        (Opcode.CLOSE, struct.pack("!H", 999)),
        (Opcode.CLOSE, struct.pack("!H", 1000) + b"\xff"),
    ],
    ids=["continuation of nothing", "surrogate in UTF-8", "half a code", "code 999", "reason not UTF-8"],
)
async def test_what_breaks_the_websocket_protocol_ends_that_socket_only(
    tmp_path: Path, opcode: Opcode, data: bytes
) -> None:
    async with whole(tmp_path, ScriptedModel([says_hello])) as running, raw_phone(running.port) as broken:
        write_frame(broken.socket, opcode, data)
        assert (await broken.closing())[0] in {1002, 1006, 1007}
        await is_well(running)


@pytest.mark.parametrize(
    "frames",
    [
        wire(Opcode.TEXT, b"\xff"),
        wire(Opcode.TEXT, b"\xff") * 3,
        wire(Opcode.TEXT, b"{}") * 3000,
        wire(Opcode.TEXT, b" " * 70_000),
        wire(Opcode.PING, b"?") * 100,
        wire(Opcode.BINARY, b"\xff"),
    ],
    ids=["no text", "no text, thrice", "flood", "too large", "pings", "bytes"],
)
async def test_bad_frames_with_a_close_right_behind_them_are_no_fault_of_ours(
    tmp_path: Path, frames: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    limits = {"message_bytes": 65_536}
    async with whole(tmp_path, ScriptedModel([says_hello]), settings=open_settings(limits=limits)) as running:
        async with raw_phone(running.port, "lamp") as phone:
            phone.socket.transport.write(frames + wire(Opcode.CLOSE, struct.pack("!H", 1000)))
            await phone.closing()
        await is_well(running)
        assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


DEEP = "[" * 200_000


@pytest.mark.parametrize(
    "text",
    [
        DEEP,
        '{"a":' * 100_000,
        '{"type":"register_tools","tools":[{"name":"deep","description":"x","parameters":'
        + "[" * 5000
        + "]" * 5000
        + "}]}",
        '{"type":"tool_result","id":"1","output":' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"type":"message","content":' + "[" * 900 + "]" * 900 + "}",
    ],
    ids=["open lists", "open objects", "deep schema", "deep result", "deep content"],
)
async def test_deep_json_is_answered_and_ends_nothing(tmp_path: Path, text: str) -> None:
    model = ScriptedModel([says_hello] * 2)
    async with whole(tmp_path, model) as running, raw_phone(running.port, "lamp") as phone:
        await phone.socket.send(text)
        assert (await phone.offer("lamp", "fan"))["registered"] == 2
        await is_well(running)


async def test_half_of_a_surrogate_pair_is_refused_as_no_text_and_ends_nothing(tmp_path: Path) -> None:
    async with (
        whole(tmp_path, ScriptedModel([says_hello] * 2)) as running,
        rest(running) as http,
        raw_phone(running.port, "lamp") as phone,
        chat(running, "odd") as socket,
    ):
        await socket.send('{"type":"message","content":"half \\ud83d here"}')
        assert (await take(socket))["code"] == "INVALID_JSON"
        refused = await http.post("/api/tools/lamp/call", content='{"arguments":{"q":"\\udc00"}}')
        assert (refused.status_code, refused.json()["code"]) == (400, "INVALID_JSON")
        await phone.socket.send('{"type":"tool_result","id":"x","output":"\\ud800"}')
        assert (await take(phone.socket))["code"] == "INVALID_JSON"
        await send(socket, type="message", content="whole \U0001f600 here")
        assert (await until(socket, "done"))[-1]["full_response"] == "hello"
        await is_well(running)


async def test_ten_thousand_tiny_frames_cost_at_most_the_socket_that_sends_them(tmp_path: Path) -> None:
    async with (
        whole(tmp_path, ScriptedModel([says_hello])) as running,
        rest(running) as http,
        raw_phone(running.port, "lamp") as phone,
        raw_phone(running.port, device_id="phone-2") as flooding,
    ):
        for _ in range(10_000):
            write_frame(flooding.socket, Opcode.TEXT, b"{}")
        call = asyncio.create_task(http.post("/api/tools/lamp/call", json={}))
        await phone.answer(await phone.called(), "on")
        assert (await call).json()["output"] == "on"
        assert (await flooding.closing())[0] == 4429
        await is_well(running)


async def test_a_message_in_ten_thousand_fragments_is_one_message_and_one_without_end_is_cut_at_the_limit(
    tmp_path: Path,
) -> None:
    limits = {"message_bytes": 65_536}
    async with whole(tmp_path, ScriptedModel([says_hello]), settings=open_settings(limits=limits)) as running:
        async with raw_phone(running.port) as phone:
            write_frame(phone.socket, Opcode.TEXT, b'{"type":', fin=False)
            for _ in range(10_000):
                write_frame(phone.socket, Opcode.CONT, b" ", fin=False)
            write_frame(phone.socket, Opcode.CONT, b'"connect"}')
            assert (await take(phone.socket))["type"] == "connected"
            write_frame(phone.socket, Opcode.TEXT, b"{", fin=False)
            for _ in range(1100):
                write_frame(phone.socket, Opcode.CONT, b" " * 64, fin=False)
            assert (await phone.closing())[0] == 1009
        await is_well(running)


async def test_of_a_field_that_stands_twice_in_a_frame_one_value_counts_and_nothing_breaks(tmp_path: Path) -> None:
    async with whole(tmp_path, ScriptedModel([says_hello])) as running, raw_phone(running.port, "lamp") as phone:
        await phone.socket.send('{"type":"unknown","type":"connect","device_id":"a","device_id":"phone-1"}')
        kinds = {(await take(phone.socket))["type"]}
        assert kinds <= {"connected", "error"}
        assert (await phone.offer("lamp"))["type"] == "tools_registered"
        await is_well(running)


async def test_a_handshake_that_never_ends_and_one_that_is_none_cost_nobody_anything(tmp_path: Path) -> None:
    async with whole(tmp_path, ScriptedModel([says_hello])) as running:
        writers = []
        for first in (
            b"GET /ws/chat HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n",
            b"\x16\x03\x01\x02\x00",
            b"",
        ):
            _, writer = await asyncio.open_connection("127.0.0.1", running.port)
            writer.write(first)
            writers.append(writer)
        await is_well(running)
        for writer in writers:
            writer.transport.abort()


async def test_a_client_that_leaves_in_the_middle_of_a_frame_leaves_nothing_behind(tmp_path: Path) -> None:
    async with whole(tmp_path, ScriptedModel([says_hello])) as running:
        async with raw_phone(running.port, "lamp") as phone:
            data = wire(Opcode.TEXT, b'{"type":"register_tools","tools":[]}')
            phone.socket.transport.write(data[:-5])
            phone.socket.transport.abort()
            with pytest.raises(ConnectionClosed):
                await phone.socket.recv()
        await is_well(running)
        assert [row.name for row in running.runtime.registry.rows()] == []
