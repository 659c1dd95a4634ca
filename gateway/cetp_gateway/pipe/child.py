"""The agent as a child process: its start, and an end that leaves nothing behind (pipe 5.6).

Above: `host_link`. Knows nothing of messages.
"""

import asyncio
import os
import shutil
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from cetp_gateway.pipe.child_streams import ChildStreams
from cetp_gateway.pipe.frozen import TERMINATE_S

_LAUNCH = Path(__file__).with_name("launch.py")

CANNOT_RUN = 127
"""Exit status of what could not become the agent."""


class CannotStart(Exception):
    """The program is not there or may not be run; the text names it."""


class Child:
    """A running agent. It has a process group of its own, and on Linux ends when the host dies."""

    def __init__(self, transport: asyncio.SubprocessTransport, streams: ChildStreams) -> None:
        input_ = transport.get_pipe_transport(0)
        if not isinstance(input_, asyncio.WriteTransport):
            raise TypeError("the child's input must be a pipe")
        self.pid = transport.get_pid()
        self._transport = transport
        self._input = input_
        self._streams = streams

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        on_error_line: Callable[[str], None] | None = None,
    ) -> "Child":
        """Start a program: a path, or a name on PATH, and its arguments. Lines of its standard error go to the log,
        or to `on_error_line`. Raises CannotStart.
        """
        program = shutil.which(command[0])
        if program is None:
            raise CannotStart(f"{command[0]} is not there or may not be run")
        try:
            transport, streams = await asyncio.get_running_loop().subprocess_exec(
                lambda: ChildStreams(on_error_line),
                *_launched(program, *command[1:]),
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                env=None if environment is None else dict(environment),
                start_new_session=True,
            )
        except OSError as error:
            raise CannotStart(f"{command[0]} cannot be started: {error.strerror}") from None
        return cls(transport, streams)

    @property
    def exit_status(self) -> int | None:
        """None while it runs; negative for the signal that ended it."""
        return self._transport.get_returncode()

    async def read(self) -> bytes:
        """The next bytes of its standard output; empty at the end."""
        return await self._streams.read()

    async def write(self, line: bytes) -> None:
        """Write a whole line; waits while the pipe is full. A child that reads no more is no error here."""
        if not self._input.is_closing():
            self._input.write(line)
            await self._streams.writable.wait()

    def hang_up(self) -> None:
        """Tell it that the session is over, and hear no more of it."""
        self._input.close()
        self._streams.end_reading()

    async def end(self, grace_s: float) -> bool:
        """Wait for its end, and bring it about when it takes longer than `grace_s`; whether it had to be killed.
        Nothing of its process group is left.
        """
        self.hang_up()
        killed = not await _within(grace_s, self._streams.exited)
        if killed:
            self._signal(signal.SIGTERM)
            await _within(TERMINATE_S, self._streams.exited)
        await self.kill()
        return killed

    async def wait(self, within_s: float) -> int:
        """Its exit status once it has ended by itself. Raises TimeoutError."""
        async with asyncio.timeout(within_s):
            await self._streams.exited.wait()
        return self._transport.get_returncode() or 0

    async def kill(self) -> None:
        """End it at once, and whatever it has started in its process group."""
        self._signal(signal.SIGKILL)
        await self._streams.exited.wait()
        # Its last words; somebody outside its group may hold that pipe open for ever.
        await _within(TERMINATE_S, self._streams.errors_ended)
        self._transport.close()

    def _signal(self, signal_: signal.Signals) -> None:
        try:
            os.killpg(self.pid, signal_)
        except ProcessLookupError:
            return


async def _within(wait_s: float, event: asyncio.Event) -> bool:
    try:
        async with asyncio.timeout(wait_s):
            await event.wait()
    except TimeoutError:
        return False
    return True


def _launched(*command: str) -> Sequence[str]:
    if not sys.platform.startswith("linux"):
        return command
    return (sys.executable, "-I", "-S", str(_LAUNCH), str(os.getpid()), *command)
