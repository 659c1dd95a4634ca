"""Row 10, the agent's side: asks again and again and writes down how long it waited. Started by `pipe_host`.

Arguments: `link` or `echo`, a file for the results, seconds to go on, commands to send at least.
"""

import asyncio
import os
import sys
import time
from array import array
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from cetp_gateway.pipe import AgentLink, Stdio, take_stdio

from ..cores import LOAD_CORE  # noqa: TID252  (run as a module of this package)
from ..usage import resident_kib  # noqa: TID252
from .samples import percentile

PARAMS = {"selector": "#order-form input[name=amount]", "frame": ["#shop"], "timeout_ms": 5000}
DOMAIN = "erp.example.com"
LINE = b"x" * 260 + b"\n"
"""As long as the command."""

_KEPT = 20_000
"""The latest times; all of their memory is there from the start."""

Ask = Callable[[], Awaitable[object]]


async def main(kind: str, results: Path, seconds: float, count: int) -> None:
    os.sched_setaffinity(0, {LOAD_CORE})
    stdio = take_stdio()
    await (by_link if kind == "link" else by_echo)(stdio, results, seconds, count)


async def by_link(stdio: Stdio, results: Path, seconds: float, count: int) -> None:
    async with await AgentLink.open(stdio.input, stdio.output, ["getText"]) as link:
        await measure(lambda: link.command("getText", PARAMS, DOMAIN), results, seconds, count)


async def by_echo(stdio: Stdio, results: Path, seconds: float, count: int) -> None:
    loop, reader = asyncio.get_running_loop(), asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), stdio.input)
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, stdio.output)
    writer = asyncio.StreamWriter(transport, protocol, None, loop)

    async def ask() -> None:
        writer.write(LINE)
        await writer.drain()
        await reader.readline()

    await measure(ask, results, seconds, count)
    writer.close()


async def measure(ask: Ask, results: Path, seconds: float, count: int) -> None:
    """A part of them is for warming up; memory is read after it and at the end."""
    took = array("d", [0.0]) * _KEPT
    warm = max(200, count // 2)
    for _ in range(warm):
        await ask()
    before, end = resident_kib(os.getpid()), time.perf_counter() + seconds
    for number in range(10_000_000):
        started = time.perf_counter()
        if started >= end and number >= count:
            break
        await ask()
        took[number % _KEPT] = time.perf_counter() - started
    grown = resident_kib(os.getpid()) - before
    keep(results, p50_us=percentile(took[:number], 0.5) * 1e6, count=number, grown_kib=grown)


def keep(results: Path, **measured: float) -> None:
    results.write_bytes(msgspec.json.encode(measured))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])))
