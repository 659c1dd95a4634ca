"""The time of day, as something that can be waited for. Tests bring one that is advanced by hand."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

LONGEST_SLEEP_S: Final = 30.0
"""The time of day is looked at again after so long: it may be set, and a machine may have slept."""


class Clock(Protocol):
    """Tells the time and waits for it."""

    def now(self) -> datetime:
        """The time, UTC."""
        ...

    async def wait(self, changed: asyncio.Event, until: datetime | None) -> None:
        """Return once the event is set or the time has come; None is no time."""
        ...


class SystemClock:
    """This machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    async def wait(self, changed: asyncio.Event, until: datetime | None) -> None:
        while not changed.is_set() and (until is None or self.now() < until):
            left_s = LONGEST_SLEEP_S if until is None else (until - self.now()).total_seconds()
            try:
                async with asyncio.timeout(max(0.0, min(left_s, LONGEST_SLEEP_S))):
                    await changed.wait()
            except TimeoutError:
                continue


async def sleep(clock: Clock, seconds: float) -> None:
    """Wait for a length of time by this clock."""
    await clock.wait(asyncio.Event(), clock.now() + timedelta(seconds=seconds))
