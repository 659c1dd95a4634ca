"""Answers of the hot path on the bare connection: the same bytes as by ASGI, and the connection as HTTP has it."""

import asyncio
import gc
import re
from pathlib import Path

import pytest

from support.entered import entered
from support.whole import WITHIN_S, open_settings, rest, whole

CALL = b"POST /api/tools/none/call HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n%b\r\n{}"


async def talk(port: int, *requests: bytes, answers: int) -> bytes:
    """What comes back for bytes sent in one piece, up to so many answers or the end of the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"".join(requests))
    received = b""
    async with asyncio.timeout(WITHIN_S):
        while received.count(b"}") < answers:
            piece = await reader.read(65_536)
            if not piece:
                break
            received += piece
    writer.close()
    await writer.wait_closed()
    return received


def without_date(answer: bytes) -> bytes:
    return re.sub(rb"date: [^\r]*\r\n", b"", answer)


async def test_the_hot_path_answers_with_the_same_bytes_as_every_other_route(tmp_path: Path) -> None:
    async with entered(tmp_path) as gateway:
        port = gateway.running.port
        hot = await talk(port, CALL % b"", answers=1)
        other = await talk(port, b"GET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n", answers=1)
    assert hot.startswith(b"HTTP/1.1 401 Unauthorized\r\n")
    assert b"date: " in hot
    assert without_date(hot) == without_date(other)


async def test_a_connection_stays_open_for_the_next_call(tmp_path: Path) -> None:
    async with whole(tmp_path) as running:
        answer = await talk(running.port, CALL % b"", CALL % b"", answers=2)
    assert answer.count(b"HTTP/1.1 404 Not Found\r\n") == 2
    assert b"connection: close" not in answer


@pytest.mark.parametrize("request_line", [b"1.0", b"1.1"])
async def test_a_connection_that_shall_close_is_closed(tmp_path: Path, request_line: bytes) -> None:
    asked = CALL.replace(b"HTTP/1.1", b"HTTP/" + request_line) % b"Connection: close\r\n"
    async with whole(tmp_path) as running:
        answer = await talk(running.port, asked, answers=100)
    assert answer.count(b"HTTP/1.1 404 Not Found\r\n") == 1
    assert b"connection: close\r\n" in answer


async def test_a_page_of_an_allowed_origin_may_read_the_answer_of_a_call(tmp_path: Path) -> None:
    origin = "https://app.example"
    chosen = open_settings(server={"allowed_origins": [origin]})
    async with whole(tmp_path, settings=chosen) as running, rest(running) as http:
        answer = await http.post("/api/tools/none/call", json={}, headers={"Origin": origin})
    assert answer.headers["access-control-allow-origin"] == origin


async def test_a_call_leaves_no_cycles_for_the_collector(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, rest(running) as http:
        await http.post("/api/tools/none/call", json={})
        gc.collect()
        for _ in range(50):
            await http.post("/api/tools/none/call", json={})
        left = [found for found in gc.get_objects() if type(found).__name__ == "RequestResponseCycle"]
        # One for each open connection: it keeps its latest request.
        assert len(left) <= 3
