"""Small frames that nobody waits for leave with the next frame of their socket, or soon by themselves.

A write of its own costs a sixth of a tool call. One timer serves all sockets. Above: `link`. Below: `socket`.
"""

import asyncio
from itertools import islice
from typing import Protocol

LATEST_S = 0.025
"""So long a frame waits for another one to go with."""
_TOGETHER = 8
"""Sockets that are flushed in one go; each takes a system call, and others want their turn."""
_GRAIN_S = 0.001
"""Event loops count in whole milliseconds; what is due within the next one is due now."""


class Flushable(Protocol):
    """A socket that may hold frames back."""

    def flush(self) -> None:
        """Send what was held back, if it is still there."""
        ...


class Flushes:
    """Shared by all links of a gateway."""

    __slots__ = ("_due", "_loop", "_timer")

    def __init__(self) -> None:
        self._due: dict[Flushable, float] = {}
        """By when; the earliest first."""
        self._timer: asyncio.TimerHandle | asyncio.Handle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        """Asking for the running loop is a system call in Python 3.11."""

    def soon(self, socket: Flushable) -> None:
        """Flush the socket in `LATEST_S` from now, and no longer when it would have been before."""
        loop = self._loop = self._loop or asyncio.get_running_loop()
        self._due.pop(socket, None)
        self._due[socket] = loop.time() + LATEST_S
        if self._timer is None:
            self._timer = loop.call_later(LATEST_S, self._flush, loop)

    def _flush(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time() + _GRAIN_S
        due = [socket for socket, by in islice(self._due.items(), _TOGETHER) if by <= now]
        for socket in due:
            del self._due[socket]
            socket.flush()
        self._timer = None
        if len(due) == _TOGETHER:
            self._timer = loop.call_soon(self._flush, loop)
        elif self._due:
            self._timer = loop.call_at(next(iter(self._due.values())), self._flush, loop)
