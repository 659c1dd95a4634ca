"""Bodies of the hot path on the bare connection: whole, in pieces, on request, and beyond the limit."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from support.whole import WITHIN_S, open_settings, whole

HEAD = b"POST /api/tools/none/call HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
SIZED = HEAD + b"Content-Length: 16\r\n\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
BODY = b'{"arguments":{}}'
BAD_BODY = b'{"arguments":[]}'


async def answer_to(port: int, pieces: Sequence[bytes]) -> bytes:
    """What comes back for a request that is written in pieces, each after the one before has left."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    async with asyncio.timeout(WITHIN_S):
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            # The gateway is asked for something else in between, so that it has read this piece before the next one.
            _, other = await asyncio.open_connection("127.0.0.1", port)
            other.close()
            await other.wait_closed()
        answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


@pytest.mark.parametrize(
    "pieces",
    [
        (SIZED + BODY,),
        (SIZED, BODY),
        (SIZED + BODY[:5], BODY[5:]),
        (CHUNKED + b"10\r\n" + BODY + b"\r\n0\r\n\r\n",),
        (CHUNKED + b"10\r\n" + BODY + b"\r\n", b"0\r\n\r\n"),
    ],
    ids=["at once", "after its head", "in two", "as a chunk", "as a chunk whose end comes later"],
)
async def test_a_body_is_read_however_it_comes(tmp_path: Path, pieces: Sequence[bytes]) -> None:
    async with whole(tmp_path) as running:
        assert b"HTTP/1.1 404 Not Found\r\n" in await answer_to(running.port, pieces)
        bad = [piece.replace(BODY, BAD_BODY).replace(BODY[5:], BAD_BODY[5:]) for piece in pieces]
        answer = await answer_to(running.port, bad)
    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert b"arguments" in answer


async def test_a_body_that_waits_to_be_asked_for_is_asked_for(tmp_path: Path) -> None:
    head = SIZED.replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n")
    async with whole(tmp_path) as running:
        answer = await answer_to(running.port, (head, BODY))
    assert answer.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\n")


async def test_a_whole_body_beyond_the_limit_is_refused_by_its_name(tmp_path: Path) -> None:
    settings = open_settings(limits={"body_bytes": 1024})
    chunk = b"800\r\n" + b" " * 0x800 + b"\r\n0\r\n\r\n"
    async with whole(tmp_path, settings=settings) as running:
        answer = await answer_to(running.port, (CHUNKED + chunk,))
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"body_bytes" in answer
