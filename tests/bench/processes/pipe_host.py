"""Row 10, the host's side: a link of ours with a browser that does nothing, or a bare echo of lines; and its child.

Arguments: `link` or `echo`, seconds to go on, commands to send at least.
"""

import asyncio
import os
import sys
import tempfile
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

import msgspec

from cetp_gateway.pipe import Command, Done, Ended, HostLink

from ..usage import resident_kib  # noqa: TID252
from .said import say

_DONE = Done({"text": "1 299,00", "truncated": False})


class NoBrowser:
    """Reads this process's memory when the agent has warmed up, as the agent does."""

    supported = frozenset({"getText"})

    def __init__(self, warm: int) -> None:
        self._warm = warm
        self.before_kib = 0.0

    async def execute(self, command: Command) -> Ended:
        if command.seq == self._warm:
            self.before_kib = resident_kib(os.getpid())
        return _DONE


async def main(kind: str, seconds: str, count: str) -> None:
    with tempfile.TemporaryDirectory(prefix="cetp-bench-") as folder:
        results = Path(folder) / "results"
        agent = [sys.executable, "-m", "tests.bench.processes.pipe_agent", kind, str(results), seconds, count]
        grown = await (by_link if kind == "link" else by_echo)(agent, int(count))
        measured: dict[str, Any] = msgspec.json.decode(results.read_bytes())
    say("DONE", host_grown_kib=grown, **measured)


async def by_link(agent: list[str], count: int) -> float:
    browser = NoBrowser(max(200, count // 2))
    end = await HostLink(agent, browser).run()
    if end.state != "ended":
        raise RuntimeError(end.message)
    return resident_kib(os.getpid()) - browser.before_kib


async def by_echo(agent: list[str], _: int) -> float:
    child = await asyncio.create_subprocess_exec(*agent, stdin=PIPE, stdout=PIPE)
    if child.stdin is None or child.stdout is None:
        raise RuntimeError("no pipes")
    while line := await child.stdout.readline():
        child.stdin.write(line)
        await child.stdin.drain()
    await child.wait()
    return 0.0


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
