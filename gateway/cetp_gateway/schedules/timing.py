"""When a schedule is due: a cron expression or one time, and the clock they are about.

Above: book, runner. Below: cron, moments.
"""

from datetime import UTC, datetime

from cetp_gateway.api import Schedule
from cetp_gateway.errors import ScheduleRefused
from cetp_gateway.schedules.cron import latest_until, looks_like_cron, next_after, read_cron
from cetp_gateway.schedules.zones import zone_named


def read_when(text: str, time_zone: str, now: datetime) -> tuple[str, bool]:
    """The text in the form that is kept, and whether it means more than one time.

    Raises:
        ScheduleRefused: it is not understood, or means no time to come.
    """
    zone, plain = zone_named(time_zone), text.strip()
    if not plain:
        raise ScheduleRefused("when: it is empty.")
    if not looks_like_cron(plain):
        # Its patterns take 2 ms to build.
        from cetp_gateway.schedules.moments import read_moment  # noqa: PLC0415

        return read_moment(plain, zone, now).astimezone(zone).isoformat(timespec="seconds"), False
    expression = read_cron(plain)
    if next_after(expression, zone, now) is None:
        raise ScheduleRefused(f"when: {expression!r} never comes.")
    return expression, True


def next_due(schedule: Schedule, after: datetime) -> datetime | None:
    """The first time behind a moment at which the schedule is due; None when there is none."""
    if schedule.repeats:
        return next_after(schedule.when, zone_named(schedule.time_zone), after)
    at = datetime.fromisoformat(schedule.when).astimezone(UTC)
    return at if at > after else None


def latest_due(schedule: Schedule, now: datetime) -> datetime:
    """Of the times that have come since `next_due`, the last: of many that were missed, the one to make up for."""
    assert schedule.next_due is not None  # noqa: S101  (only schedules that are due are asked about)
    if not schedule.repeats:
        return schedule.next_due
    latest = latest_until(schedule.when, zone_named(schedule.time_zone), now)
    return max(schedule.next_due, latest) if latest else schedule.next_due
