"""The host as a child of the demo, and the events of its agent as they come through a named pipe."""

import asyncio
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, Self

import msgspec

END_S: Final = 20.0
"""For a host to end its agent and its browser."""
SAID_CHARS: Final = 2000
EVENT_BYTES: Final = 16 * 1024 * 1024
_LAST: Final = b'{"type":"last"}\n'


class HostProcess:
    """Runs for the length of a block; ends in order when it is left early.

    Args:
        command: program and arguments.
        environment: of it.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._command = command
        self._environment = environment
        self._process: Process | None = None
        self._errors: asyncio.Task[bytes] | None = None
        self.status: int | None = None
        self.said = ""
        """At its standard error, the end of it, without the command line's own prefix."""

    async def __aenter__(self) -> Self:
        # A session of its own: Ctrl-C is the demo's, which then ends the host in order.
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            env=dict(self._environment),
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=PIPE,
            start_new_session=True,
        )
        if self._process.stderr is not None:
            self._errors = asyncio.create_task(self._process.stderr.read())
        return self

    async def __aexit__(self, *_: object) -> None:
        process, errors = self._process, self._errors
        if process is None or errors is None:
            return
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(END_S):
                self.status = await process.wait()
                said = await errors
        except TimeoutError:
            os.killpg(process.pid, signal.SIGKILL)
            self.status, said = await process.wait(), b""
            errors.cancel()
        self.said = said.decode(errors="replace").strip()[-SAID_CHARS:].removeprefix("Error: ")

    async def ended(self) -> None:
        """Until it has ended by itself."""
        if self._process is not None:
            await self._process.wait()


class EventLines:
    """Frames of a named pipe."""

    def __init__(self, reader: asyncio.StreamReader, descriptor: int) -> None:
        self._reader = reader
        self._descriptor = descriptor

    async def until(self, end: Awaitable[None]) -> AsyncIterator[dict[str, Any]]:
        """Every frame that is written before `end` has come."""
        closing = asyncio.ensure_future(self._close_after(end))
        try:
            while line := await self._reader.readline():
                frame: dict[str, Any] = msgspec.json.decode(line)
                if frame["type"] == "last":
                    return
                yield frame
        finally:
            closing.cancel()
            await asyncio.gather(closing, return_exceptions=True)

    async def _close_after(self, end: Awaitable[None]) -> None:
        await end
        # Whatever the agent wrote stands before it.
        os.write(self._descriptor, _LAST)


@asynccontextmanager
async def event_lines(file: Path) -> AsyncIterator[EventLines]:
    """Read a named pipe, which need have no writer yet."""
    # Open for writing too, so that it does not end between two writers, and takes the last line.
    descriptor = os.open(file, os.O_RDWR | os.O_NONBLOCK)
    reader = asyncio.StreamReader(limit=EVENT_BYTES)
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(descriptor, "rb", buffering=0)
    )
    try:
        yield EventLines(reader, descriptor)
    finally:
        transport.close()
