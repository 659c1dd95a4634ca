"""A clock that stands still until a test moves it, and the waiting of those who look at it."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Final

START: Final = datetime(2030, 3, 4, 7, 0, tzinfo=UTC)
"""A Monday."""
WITHIN_S: Final = 10.0


class HandClock:
    """Implements the schedules' Clock."""

    def __init__(self, now: datetime = START) -> None:
        self._now = now
        self._moved = asyncio.Event()
        self._waits = 0
        self._waited = asyncio.Condition()
        self.until: list[datetime | None] = []
        """What each wait that has begun waits for."""

    def now(self) -> datetime:
        return self._now

    async def wait(self, changed: asyncio.Event, until: datetime | None) -> None:
        self.until.append(until)
        async with self._waited:
            self._waits += 1
            self._waited.notify_all()
        while not changed.is_set() and (until is None or self._now < until):
            moved = self._moved
            tasks = [asyncio.create_task(changed.wait()), asyncio.create_task(moved.wait())]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in tasks:
                    task.cancel()

    def set(self, now: datetime) -> None:
        """Move to a time, backwards too, and wake everybody."""
        self._now = now
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()

    async def advance(self, **length: float) -> None:
        """Move on, and return once somebody has begun to wait anew: what was due has been started by then."""
        await self.move_to(self._now + timedelta(**length))

    async def move_to(self, now: datetime) -> None:
        """The same to a time."""
        waits = self._waits
        self.set(now)
        await self._until(waits + 1)

    async def watched(self, waits: int = 1) -> None:
        """Return once so many waits have begun since the start."""
        await self._until(waits)

    async def _until(self, waits: int) -> None:
        async with asyncio.timeout(WITHIN_S), self._waited:
            await self._waited.wait_for(lambda: self._waits >= waits)
