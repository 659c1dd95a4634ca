"""Cron expressions of five fields, read by `cronsim`, which follows Debian's cron in time zones.

A fixed time that the clock jumps over (spring) runs right behind the gap; one that comes twice (autumn) runs once, at
its first coming. Expressions with `*` in minutes or hours follow elapsed time. Plain functions of values.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from cetp_gateway.errors import ScheduleRefused

if TYPE_CHECKING:
    from cronsim import CronSim

FIELDS: Final = 5
_SHORTHANDS: Final = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}


def looks_like_cron(text: str) -> bool:
    """Whether somebody meant a cron expression, good or bad."""
    words = text.split()
    return text.startswith("@") or (len(words) in (FIELDS, FIELDS + 1) and words[0][0] in "*0123456789")


def read_cron(text: str) -> str:
    """The expression in its plain form; ScheduleRefused when it is none."""
    expression = _SHORTHANDS.get(text.lower(), text)
    if len(expression.split()) != FIELDS:
        raise ScheduleRefused(
            f"when: a cron expression has five fields (minute hour day month weekday), and {text[:100]!r} has not; "
            "seconds are not offered."
        )
    _times(expression, datetime.now(UTC))
    return " ".join(expression.split())


def next_after(expression: str, zone: ZoneInfo, moment: datetime) -> datetime | None:
    """The first time behind a moment, UTC; None when there is none within 50 years."""
    # In the hour that comes twice the parser can name a time whose first coming is past already.
    return next((at for at in _forward(expression, zone, moment) if at > moment), None)


def latest_until(expression: str, zone: ZoneInfo, moment: datetime) -> datetime | None:
    """The last time that is not behind a moment, UTC."""
    return next((at for at in _backward(expression, zone, moment) if at <= moment), None)


def _forward(expression: str, zone: ZoneInfo, moment: datetime) -> Iterator[datetime]:
    return (at.astimezone(UTC) for at in _times(expression, moment.astimezone(zone)))


def _backward(expression: str, zone: ZoneInfo, moment: datetime) -> Iterator[datetime]:
    # A minute later, since the parser does not count the moment itself.
    minute_later = datetime.fromtimestamp(moment.timestamp() + 60, zone)
    return (at.astimezone(UTC) for at in _times(expression, minute_later, reverse=True))


def _times(expression: str, start: datetime, *, reverse: bool = False) -> "CronSim":
    # 8 ms that a gateway without schedules does not need.
    from cronsim import CronSim, CronSimError  # noqa: PLC0415

    try:
        return CronSim(expression, start, reverse)
    except CronSimError as error:
        raise ScheduleRefused(f"when: {expression[:100]!r} is no cron expression: {error}.") from None
