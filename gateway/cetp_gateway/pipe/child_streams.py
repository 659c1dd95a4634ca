"""What a child process says, as asyncio hands it over: bytes of its output, lines of its standard error, its exit.

A process has ended when the system says so, whoever still holds its pipes; asyncio's own streams wait for those too.
Above: `child`.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable

log = logging.getLogger(__name__)

_MOST_BYTES = 1_048_576
"""Unread output above which the child has to wait."""
_ERROR_LINE_BYTES = 4096


class ChildStreams(asyncio.SubprocessProtocol):
    """The receiving end of one child. `on_error_line` gets what it says on standard error; the log without one."""

    def __init__(self, on_error_line: Callable[[str], None] | None = None) -> None:
        self._on_error_line = on_error_line
        self.exited = asyncio.Event()
        self.errors_ended = asyncio.Event()
        self.writable = asyncio.Event()
        self.writable.set()
        self._pid = 0
        self._output: asyncio.ReadTransport | None = None
        self._chunks: deque[bytes] = deque()
        self._unread = 0
        self._ended = False
        self._news = asyncio.Event()
        self._error_line = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if not isinstance(transport, asyncio.SubprocessTransport):
            raise TypeError("made for subprocesses")
        output = transport.get_pipe_transport(1)
        self._output = output if isinstance(output, asyncio.ReadTransport) else None
        self._pid = transport.get_pid()

    async def read(self) -> bytes:
        """The next bytes of the output; empty at the end."""
        while not self._chunks:
            if self._ended:
                return b""
            self._news.clear()
            await self._news.wait()
        chunk = self._chunks.popleft()
        if self._unread > _MOST_BYTES >= self._unread - len(chunk) and self._output is not None:
            self._output.resume_reading()
        self._unread -= len(chunk)
        return chunk

    def end_reading(self) -> None:
        """The output counts as ended from now on."""
        self._chunks.clear()
        self._unread = 0
        self._ended = True
        self._news.set()
        if self._output is not None:
            # What still comes is taken off the pipe, so that the child does not stand still while it ends.
            self._output.resume_reading()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self._take_errors(data)
            return
        if self._ended:
            return
        self._chunks.append(data)
        if self._unread <= _MOST_BYTES < self._unread + len(data) and self._output is not None:
            self._output.pause_reading()
        self._unread += len(data)
        self._news.set()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002
        if fd == 0:
            self.writable.set()
        elif fd == 1:
            self._ended = True
            self._news.set()
        else:
            self._log(self._error_line)
            self.errors_ended.set()

    def process_exited(self) -> None:
        self.exited.set()

    def pause_writing(self) -> None:
        self.writable.clear()

    def resume_writing(self) -> None:
        self.writable.set()

    def _take_errors(self, data: bytes) -> None:
        *lines, rest = (self._error_line + data).split(b"\n")
        # The rest of a longer line is another line.
        if len(rest) > _ERROR_LINE_BYTES:
            lines.append(rest)
            rest = b""
        self._error_line = rest
        for line in lines:
            self._log(line)

    def _log(self, line: bytes) -> None:
        text = line[:_ERROR_LINE_BYTES].decode(errors="replace").rstrip()
        printable = "".join(c if c.isprintable() else "�" for c in text)
        if printable and self._on_error_line is None:
            log.info("agent %d: %s", self._pid, printable)
        elif printable and self._on_error_line is not None:
            self._on_error_line(printable)
