"""Small frames that nobody waits for leave with the next frame of their socket, or soon by themselves.

A write of its own costs a sixth of a tool call. One timer serves all sockets. Above: `link`. Below: `socket`.
"""

import asyncio
from typing import Protocol

LATEST_S = 0.025
"""No frame waits longer for another one to go with."""


class Flushable(Protocol):
    """A socket that may hold frames back."""

    def flush(self) -> None:
        """Send what was held back, if it is still there."""
        ...


class Flushes:
    """Shared by all links of a gateway."""

    __slots__ = ("_due", "_timer")

    def __init__(self) -> None:
        self._due: dict[Flushable, None] = {}
        self._timer: asyncio.TimerHandle | None = None

    def soon(self, socket: Flushable) -> None:
        """Flush the socket within `LATEST_S`."""
        self._due[socket] = None
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(LATEST_S, self._flush)

    def _flush(self) -> None:
        self._timer = None
        due, self._due = self._due, {}
        for socket in due:
            socket.flush()
