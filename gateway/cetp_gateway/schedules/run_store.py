"""Runs of schedules in SQLite: every method is one transaction and raises StorageError when it cannot be.

Above: book, runner, run_keeper. Below: rows, store, storage.
"""

import sqlite3
from datetime import datetime
from typing import Final

import msgspec

from cetp_gateway.api import ScheduleRun
from cetp_gateway.schedules.rows import read_run, run_values
from cetp_gateway.schedules.store import get, put
from cetp_gateway.storage import Database

_HAS_OPEN: Final = "SELECT 1 FROM schedule_runs WHERE schedule_id = ? AND status IN ('waiting', 'running')"
_SKIP: Final = (
    "UPDATE schedule_runs SET skipped = skipped + 1 WHERE schedule_id = ? AND status IN ('waiting', 'running')"
)
_LEFT_OPEN: Final = (
    "SELECT id, skipped, body FROM schedule_runs "
    "WHERE status IN ('waiting', 'running') OR delivery = 'pending' ORDER BY id"
)


class RunStore:
    """Args:
    kept: runs of each schedule.
    """

    def __init__(self, database: Database, *, kept: int) -> None:
        self._database = database
        self._kept = kept

    async def begin(self, run: ScheduleRun, *, due: datetime | None, next_due: datetime | None) -> ScheduleRun | None:
        """Keep a run that is about to wait or has been missed, and with it when the schedule is due next, so that a
        crash can neither repeat nor lose it. None, and the open run counts it, when one has not ended; None too when
        the schedule is gone or is not due at `due` any more.
        """

        def work(connection: sqlite3.Connection) -> ScheduleRun | None:
            schedule = get(connection, run.schedule_id)
            if schedule is None or schedule.next_due != due:
                return None
            put(connection, msgspec.structs.replace(schedule, next_due=next_due))
            if connection.execute(_SKIP, (run.schedule_id,)).rowcount:
                return None
            return self._insert(connection, run)

        return await self._database.write(work)

    async def begin_by_hand(self, run: ScheduleRun) -> ScheduleRun | None:
        """The same outside the schedule's times; nothing is counted when a run has not ended."""

        def work(connection: sqlite3.Connection) -> ScheduleRun | None:
            schedule = get(connection, run.schedule_id)
            if schedule is None or connection.execute(_HAS_OPEN, (run.schedule_id,)).fetchone():
                return None
            return self._insert(connection, run)

        return await self._database.write(work)

    async def keep(self, run: ScheduleRun) -> None:
        """Store what a run has come to. One whose schedule was removed meanwhile stays removed."""
        values = (*run_values(run), run.id)
        await self._database.write(
            lambda connection: connection.execute(
                "UPDATE schedule_runs SET status = ?, delivery = ?, body = ? WHERE id = ?", values
            )
        )

    async def of(self, schedule_id: str, *, limit: int) -> list[ScheduleRun]:
        """The latest runs, newest first."""
        statement = "SELECT id, skipped, body FROM schedule_runs WHERE schedule_id = ? ORDER BY id DESC LIMIT ?"
        return await self._database.read(
            lambda connection: [read_run(row) for row in connection.execute(statement, (schedule_id, limit))]
        )

    async def latest(self) -> dict[str, ScheduleRun]:
        """The newest run of each schedule that has any."""
        statement = "SELECT max(id) AS id, skipped, body, schedule_id FROM schedule_runs GROUP BY schedule_id"
        return await self._database.read(
            lambda connection: {row["schedule_id"]: read_run(row) for row in connection.execute(statement)}
        )

    async def left_open(self) -> list[ScheduleRun]:
        """Runs that have not ended or have not been delivered: at the start, those that the last end cut short."""
        return await self._database.read(lambda connection: [read_run(row) for row in connection.execute(_LEFT_OPEN)])

    def _insert(self, connection: sqlite3.Connection, run: ScheduleRun) -> ScheduleRun:
        new = connection.execute(
            "INSERT INTO schedule_runs (schedule_id, status, delivery, body) VALUES (?, ?, ?, ?)",
            (run.schedule_id, *run_values(run)),
        )
        connection.execute(
            "DELETE FROM schedule_runs WHERE schedule_id = ? AND id NOT IN "
            "(SELECT id FROM schedule_runs WHERE schedule_id = ? ORDER BY id DESC LIMIT ?)",
            (run.schedule_id, run.schedule_id, self._kept),
        )
        assert new.lastrowid is not None  # noqa: S101  (of an INSERT)
        return msgspec.structs.replace(run, id=new.lastrowid)
