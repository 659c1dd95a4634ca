"""HTTP load: keep-alive connections, each with one request in flight, sending prepared bytes.

Arguments: port, connections, seconds, file with the requests (msgpack, a list of byte strings).
"""

import asyncio
import gc
import sys
import time
from functools import partial
from pathlib import Path
from typing import cast

import msgspec
import uvloop

from .said import say
from .samples import percentile

_LENGTH = b"content-length:"


class Connection(asyncio.Protocol):
    """Sends one request after another; remembers how long each took and what was not answered with 200."""

    def __init__(self, requests: list[bytes], first: int) -> None:
        self._requests = requests
        self._next = first
        self._buffer = b""
        self._sent_at = 0.0
        self.ends_at = 0.0
        self.took: list[float] = []
        self.refused: list[bytes] = []
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.over.done():
            self.over.set_exception(exc or ConnectionError("the server closed a connection"))

    def send_next(self) -> None:
        request = self._requests[self._next % len(self._requests)]
        self._next += 1
        self._sent_at = time.perf_counter()
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        self._buffer = data = self._buffer + data if self._buffer else data
        end = data.find(b"\r\n\r\n")
        if end < 0 or len(data) < end + 4 + _body_size(data[:end].lower()):
            return
        now = time.perf_counter()
        self.took.append(now - self._sent_at)
        if not data.startswith(b"HTTP/1.1 200"):
            self.refused.append(data[:400])
        self._buffer = b""
        if now < self.ends_at:
            self.send_next()
        else:
            self.over.set_result(None)


def _itself(connection: Connection) -> Connection:
    return connection


def _body_size(head: bytes) -> int:
    at = head.find(_LENGTH)
    return int(head[at + len(_LENGTH) :].split(b"\r\n", 1)[0]) if at >= 0 else 0


async def main(port: int, count: int, seconds: float, requests: list[bytes]) -> None:
    loop = asyncio.get_running_loop()
    connections = [Connection(requests, number * 37) for number in range(count)]
    for connection in connections:
        await loop.create_connection(partial(_itself, connection), "127.0.0.1", port)
    # A collection here would show as a slow answer there.
    gc.disable()
    async with asyncio.timeout(seconds + 60):
        for connection in connections:
            connection.ends_at = time.perf_counter() + seconds
            connection.send_next()
        await asyncio.gather(*(connection.over for connection in connections))
    report(connections)


def report(connections: list[Connection]) -> None:
    settled = [took for each in connections for took in each.took[len(each.took) // 10 :]]
    refused = [answer for each in connections for answer in each.refused]
    say(
        "DONE",
        count=sum(len(each.took) for each in connections),
        p50_us=percentile(settled, 0.5) * 1e6,
        p99_us=percentile(settled, 0.99) * 1e6,
        refused=len(refused),
        example=refused[0].decode(errors="replace") if refused else "",
    )


if __name__ == "__main__":
    prepared = msgspec.msgpack.decode(Path(sys.argv[4]).read_bytes(), type=list[bytes])
    uvloop.run(main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), prepared))
