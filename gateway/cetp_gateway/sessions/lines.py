"""One turn at a time per session: the others stand in line, for a bounded time and in bounded number."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from cetp_gateway.errors import SessionBusy


class _Line:
    """The turns of one session: the one that holds the lock, and those that wait for it in order."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.length = 0


class Lines:
    """The lines of all sessions.

    Args:
        length: turns of one session, running and waiting together.
        wait_s: longest wait in line, in seconds.
    """

    def __init__(self, *, length: int, wait_s: float) -> None:
        self._length = length
        self._wait_s = wait_s
        self._lines: dict[str, _Line] = {}

    def use(self, *, length: int, wait_s: float) -> None:
        """Take over other bounds, for those who come from now on."""
        self._length = length
        self._wait_s = wait_s

    @asynccontextmanager
    async def place(self, session_id: str) -> AsyncIterator[None]:
        """Stand in line and hold the session while the block runs.

        Raises:
            SessionBusy: the line is full (at once), or the wait was too long.
        """
        line = self._lines.setdefault(session_id, _Line())
        if line.length >= self._length:
            raise SessionBusy(f"This session has {line.length} turns open already; wait for one to end or abort it.")
        line.length += 1
        try:
            await self._acquire(line)
            try:
                yield
            finally:
                line.lock.release()
        finally:
            line.length -= 1
            if line.length == 0:
                del self._lines[session_id]

    async def _acquire(self, line: _Line) -> None:
        try:
            async with asyncio.timeout(self._wait_s):
                await line.lock.acquire()
        except TimeoutError:
            raise SessionBusy(
                f"The turn before this one has not ended within {self._wait_s:g} s; try again or abort it."
            ) from None

    def lengths(self) -> dict[str, int]:
        """Turns per session, running and waiting, for those that have any."""
        return {session_id: line.length for session_id, line in self._lines.items()}
