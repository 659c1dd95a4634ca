"""What a scheduled turn is told in front of its prompt: that nobody is waiting, how late it is, who is away.

Plain functions of values.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from cetp_gateway.api import Schedule, ScheduleRun
from cetp_gateway.schedules.presence import Absent
from cetp_gateway.schedules.zones import zone_named

ON_TIME: Final = timedelta(minutes=2)
"""A run that begins within this is not called late."""


def note_of(schedule: Schedule, run: ScheduleRun, absent: Sequence[Absent], now: datetime) -> str:
    """What is not as it should be; empty when all is well."""
    told = [_away(schedule, one) for one in absent]
    if now - run.due_at > ON_TIME:
        told.insert(0, f"It was due at {_local(schedule, run.due_at)} and begins {_length(now - run.due_at)} late.")
    return " ".join(told)


def prompt_of(schedule: Schedule, note: str) -> str:
    """The user's message of the turn."""
    head = f"Scheduled run of {schedule.name!r}; nobody is there to answer questions."
    advice = " Say so in the answer where it matters, and do not make up what is missing." if note else ""
    return f"[{head}{f' {note}' if note else ''}{advice}]\n{schedule.prompt}"


def _away(schedule: Schedule, absent: Absent) -> str:
    if absent.connected:
        return f"The device {absent.name!r} is connected but offers no tools."
    if absent.since is None:
        return f"The device {absent.name!r} is away, and when it was last here is not known; its tools are missing."
    return f"The device {absent.name!r} has been away since {_local(schedule, absent.since)}; its tools are missing."


def _local(schedule: Schedule, moment: datetime) -> str:
    return f"{moment.astimezone(zone_named(schedule.time_zone)):%Y-%m-%d %H:%M %Z}"


def _length(length: timedelta) -> str:
    minutes = round(length.total_seconds() / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 48 else f"{hours // 24} days"
