"""Schedules and runs as rows, and back. Plain functions of values."""

import sqlite3
from typing import Final

import msgspec

from cetp_gateway.api import Schedule, ScheduleRun

_encode: Final = msgspec.json.Encoder().encode
_schedule: Final = msgspec.json.Decoder(Schedule).decode
_run: Final = msgspec.json.Decoder(ScheduleRun).decode


def schedule_values(schedule: Schedule) -> tuple[float | None, str, str]:
    """`next_due`, body and id."""
    due = schedule.next_due.timestamp() if schedule.next_due and schedule.enabled else None
    return due, _encode(schedule).decode(), schedule.id


def read_schedule(row: sqlite3.Row) -> Schedule:
    return _schedule(row["body"])


def run_values(run: ScheduleRun) -> tuple[str, str, str]:
    """Status, delivery and body."""
    return run.status, run.delivery, _encode(run).decode()


def read_run(row: sqlite3.Row) -> ScheduleRun:
    return msgspec.structs.replace(_run(row["body"]), id=row["id"], skipped=row["skipped"])
