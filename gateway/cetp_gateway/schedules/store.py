"""Schedules in SQLite: every method is one transaction and raises StorageError when it cannot be.

Above: book, runner, run_keeper, run_store. Below: rows, storage.
"""

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime

from cetp_gateway.api import Schedule
from cetp_gateway.errors import ScheduleRefused
from cetp_gateway.schedules.rows import read_schedule, schedule_values
from cetp_gateway.storage import Database


class ScheduleStore:
    """Args:
    most: schedules that still have something to do, and as many that have not.
    """

    def __init__(self, database: Database, *, most: int) -> None:
        self._database = database
        self._most = most

    async def get(self, schedule_id: str) -> Schedule | None:
        return await self._database.read(lambda connection: get(connection, schedule_id))

    async def add(self, schedule: Schedule) -> None:
        """Keep a new one, and drop the oldest of those that have nothing to do any more.

        Raises:
            ScheduleRefused: there are `most` that have.
        """
        due, body, schedule_id = schedule_values(schedule)

        def work(connection: sqlite3.Connection) -> None:
            idle = _idle(connection)
            count = connection.execute("SELECT count(*) FROM schedules").fetchone()[0] - len(idle)
            if count >= self._most:
                raise ScheduleRefused(
                    f"There are {count} schedules already (schedules.max_schedules); remove one that is not needed."
                )
            connection.executemany("DELETE FROM schedules WHERE id = ?", [(old,) for old in idle[self._most :]])
            connection.execute("INSERT INTO schedules (id, next_due, body) VALUES (?, ?, ?)", (schedule_id, due, body))

        await self._database.write(work)

    async def change(self, schedule_id: str, change: Callable[[Schedule], Schedule]) -> Schedule | None:
        """Replace a schedule by what a function makes of it; None when there is none."""

        def work(connection: sqlite3.Connection) -> Schedule | None:
            before = get(connection, schedule_id)
            if before is None:
                return None
            after = change(before)
            put(connection, after)
            return after

        return await self._database.write(work)

    async def delete(self, schedule_id: str) -> bool:
        """Remove a schedule and its runs; False when there was none."""
        return await self._database.write(
            lambda connection: connection.execute("DELETE FROM schedules WHERE id = ?", (schedule_id,)).rowcount > 0
        )

    async def due(self, now: datetime) -> list[Schedule]:
        """Those whose time has come, the earliest first."""
        statement = "SELECT body FROM schedules WHERE next_due <= ? ORDER BY next_due"
        return await self._database.read(
            lambda connection: [read_schedule(row) for row in connection.execute(statement, (now.timestamp(),))]
        )

    async def earliest(self) -> datetime | None:
        """When the next one is due."""
        found = await self._database.read(
            lambda connection: connection.execute("SELECT min(next_due) FROM schedules").fetchone()[0]
        )
        return None if found is None else datetime.fromtimestamp(found, UTC)

    async def list(self) -> list[Schedule]:
        """Those that are due next first, those that are due no more last."""
        statement = "SELECT body FROM schedules ORDER BY next_due IS NULL, next_due, rowid"
        return await self._database.read(
            lambda connection: [read_schedule(row) for row in connection.execute(statement)]
        )


def get(connection: sqlite3.Connection, schedule_id: str) -> Schedule | None:
    """Within a transaction."""
    row = connection.execute("SELECT body FROM schedules WHERE id = ?", (schedule_id,)).fetchone()
    return read_schedule(row) if row else None


def put(connection: sqlite3.Connection, schedule: Schedule) -> None:
    """Within a transaction: replace one that is there."""
    connection.execute("UPDATE schedules SET next_due = ?, body = ? WHERE id = ?", schedule_values(schedule))


def _idle(connection: sqlite3.Connection) -> list[str]:
    """One-time schedules that have run, the newest first; paused ones still have something to do."""
    rows = connection.execute(
        "SELECT body FROM schedules WHERE next_due IS NULL AND id NOT IN "
        "(SELECT schedule_id FROM schedule_runs WHERE status IN ('waiting', 'running')) ORDER BY rowid DESC"
    )
    schedules = [read_schedule(row) for row in rows]
    return [schedule.id for schedule in schedules if schedule.enabled and not schedule.repeats]
