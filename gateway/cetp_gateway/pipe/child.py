"""The agent as a child process: its start, its standard error, and an end that leaves nothing behind (pipe 5.6).

Above: `host_link`. Knows nothing of messages.
"""

import asyncio
import logging
import os
import shutil
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from pathlib import Path

from cetp_gateway.pipe.frozen import TERMINATE_S

log = logging.getLogger(__name__)

_LAUNCH = Path(__file__).with_name("launch.py")
_CHUNK_BYTES = 65536
_ERROR_LINE_BYTES = 4096

CANNOT_RUN = 127
"""Exit status of what could not become the agent."""


class CannotStart(Exception):
    """The program is not there or may not be run; the text names it."""


class Child:
    """A running agent. It has a process group of its own, and on Linux ends when the host dies."""

    def __init__(self, process: Process) -> None:
        if process.stdin is None or process.stdout is None or process.stderr is None:
            raise ValueError("all three streams of the child must be pipes")
        self._process = process
        self._input = process.stdin
        self._output = process.stdout
        self._errors = asyncio.create_task(self._copy_errors(process.stderr))

    @classmethod
    async def start(cls, command: Sequence[str], *, environment: Mapping[str, str] | None = None) -> "Child":
        """Start a program: a path, or a name on PATH, and its arguments. Raises CannotStart."""
        program = shutil.which(command[0])
        if program is None:
            raise CannotStart(f"{command[0]} is not there or may not be run")
        try:
            process = await asyncio.create_subprocess_exec(
                *_launched(program, *command[1:]),
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                env=None if environment is None else dict(environment),
                start_new_session=True,
            )
        except OSError as error:
            raise CannotStart(f"{command[0]} cannot be started: {error.strerror}") from None
        return cls(process)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit_status(self) -> int | None:
        """None while it runs; negative for the signal that ended it."""
        return self._process.returncode

    async def read(self) -> bytes:
        """The next bytes of its standard output; empty at the end."""
        return await self._output.read(_CHUNK_BYTES)

    async def write(self, line: bytes) -> None:
        """Write a whole line; waits while the pipe is full. A child that has gone is no error here."""
        try:
            self._input.write(line)
            await self._input.drain()
        except (BrokenPipeError, ConnectionResetError):
            log.debug("agent %d reads no more", self.pid)

    def close_input(self) -> None:
        """Tell it that the session is over."""
        self._input.close()

    async def end(self, grace_s: float) -> bool:
        """Wait for its end, and bring it about when it takes longer than `grace_s`; whether it had to be killed.
        Nothing of its process group is left.
        """
        self.close_input()
        if await self._has_ended(grace_s):
            await self._clear_up()
            return False
        self._signal(signal.SIGTERM)
        await self._has_ended(TERMINATE_S)
        await self.kill()
        return True

    async def kill(self) -> None:
        """End it at once, and whatever it has started in its process group."""
        self._signal(signal.SIGKILL)
        await self._process.wait()
        await self._clear_up()

    async def _has_ended(self, within_s: float) -> bool:
        try:
            async with asyncio.timeout(within_s):
                await self._process.wait()
        except TimeoutError:
            return False
        return True

    def _signal(self, signal_: signal.Signals) -> None:
        try:
            os.killpg(self.pid, signal_)
        except ProcessLookupError:
            return

    async def _clear_up(self) -> None:
        """What it started itself may be left in its group, and may hold its standard error open for ever."""
        self._signal(signal.SIGKILL)
        self.close_input()
        await asyncio.wait([self._errors], timeout=TERMINATE_S)
        self._errors.cancel()
        await asyncio.gather(self._errors, return_exceptions=True)

    async def _copy_errors(self, errors: asyncio.StreamReader) -> None:
        kept = b""
        while chunk := await errors.read(_CHUNK_BYTES):
            *lines, kept = (kept + chunk).split(b"\n")
            for line in lines:
                self._log(line)
            # The rest of a longer line is another line.
            if len(kept) > _ERROR_LINE_BYTES:
                self._log(kept)
                kept = b""
        if kept:
            self._log(kept)

    def _log(self, line: bytes) -> None:
        text = line[:_ERROR_LINE_BYTES].decode(errors="replace").rstrip()
        log.info("agent %d: %s", self.pid, "".join(c if c.isprintable() else "�" for c in text))


def _launched(*command: str) -> Sequence[str]:
    if not sys.platform.startswith("linux"):
        return command
    return (sys.executable, "-I", "-S", str(_LAUNCH), str(os.getpid()), *command)
