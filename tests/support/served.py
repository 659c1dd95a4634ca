"""`cetp` as a user runs it: a gateway as a process of its own, and commands beside it."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

CETP = (sys.executable, "-m", "cetp_gateway.cli")
LIMIT_S = 20.0


class Ended(msgspec.Struct, frozen=True):
    """What a command left behind."""

    code: int
    out: str
    err: str


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """That of a user who has set nothing, with a home of its own."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("CETP_", "ANTHROPIC_", "OPENAI_"))}
    return (
        kept | {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data"), "XDG_CONFIG_HOME": str(folder)} | settings
    )


async def cetp(*words: str, folder: Path, given: str = "", **settings: str) -> Ended:
    """Run one command to its end."""
    return await cetp_within(LIMIT_S, *words, folder=folder, given=given, **settings)


async def cetp_within(limit_s: float, *words: str, folder: Path, given: str = "", **settings: str) -> Ended:
    """Run one command that may take so long."""
    process = await asyncio.create_subprocess_exec(
        *CETP,
        *words,
        env=environment(folder, **settings),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(limit_s):
            out, err = await process.communicate(given.encode())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return Ended(process.returncode or 0, out.decode(), err.decode())


class Served:
    """A running `cetp serve`."""

    def __init__(self, process: asyncio.subprocess.Process, url: str, folder: Path) -> None:
        self.process = process
        self.url = url
        self.folder = folder

    async def cetp(self, *words: str, given: str = "", **settings: str) -> Ended:
        """Run a command against this gateway."""
        return await cetp(*words, folder=self.folder, given=given, CETP_GATEWAY=self.url, **settings)

    async def terminate(self) -> int:
        """Send SIGTERM and wait for the end; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(LIMIT_S):
            return await self.process.wait()


@asynccontextmanager
async def served(folder: Path, *words: str, **settings: str) -> AsyncIterator[Served]:
    """Run `cetp serve` on a free port; killed at the end when it still runs."""
    with (folder / "serve.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *CETP,
            "serve",
            "--port",
            "0",
            *words,
            env=environment(folder, **settings),
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
        )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(LIMIT_S):
            line = (await process.stdout.readline()).decode()
        found = re.search(r"https?://\S+:\d+", line)
        assert found, line + (folder / "serve.log").read_text()
        yield Served(process, found[0], folder)
    finally:
        await end(process)


async def end(process: asyncio.subprocess.Process) -> None:
    """Kill a process that still runs, and let go of its pipes."""
    if process.returncode is None:
        process.kill()
    await process.communicate()
