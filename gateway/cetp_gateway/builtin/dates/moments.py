"""Moments as models write them, and steps through the calendar. Plain functions.

Above: `calculate_date`. Below: nothing.
"""

import calendar
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import NamedTuple

from cetp_gateway.builtin.builtin_tool import NotPossible


def moment_of(field: str, text: str, now: datetime, zone: tzinfo) -> datetime:
    """What an ISO 8601 date or time, `today`, `now`, `yesterday` or `tomorrow` means in a zone. Raises NotPossible."""
    text = text.strip()
    here = now.astimezone(zone)
    midnight = here.replace(hour=0, minute=0, second=0, microsecond=0)
    days = {"today": 0, "yesterday": -1, "tomorrow": 1}.get(text.lower())
    if days is not None:
        return midnight + timedelta(days=days)
    if text.lower() in ("", "now"):
        return here
    try:
        said = datetime.fromisoformat(text)
    except ValueError:
        raise NotPossible(
            f"{field}: {text!r} is no date.",
            hint="Write 2024-02-29, 2024-02-29T18:30 (with +01:00 or Z), today or now.",
        ) from None
    return said.replace(tzinfo=zone) if said.tzinfo is None else said.astimezone(zone)


def months_later(moment: datetime, months: int) -> datetime:
    """The same day of another month; its last day when there is no such day."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    last = calendar.monthrange(year, month + 1)[1] if 1 <= year <= 9999 else 28
    return moment.replace(year=year, month=month + 1, day=min(moment.day, last))


def workdays_later(moment: datetime, days: int) -> datetime:
    """So many days from Monday to Friday on, or back."""
    if not days:
        return moment
    step = 1 if days > 0 else -1
    while moment.weekday() > 4:
        # From a weekend one counts as from the workday before it.
        moment -= timedelta(days=step)
    weeks, rest = divmod(abs(days), 5)
    moment += timedelta(weeks=step * weeks)
    while rest:
        moment += timedelta(days=step)
        rest -= moment.weekday() <= 4
    return moment


def elapsed_later(moment: datetime, elapsed: timedelta) -> datetime:
    """So much later by a stopwatch, whatever clocks are put forward or back between."""
    zone = moment.tzinfo
    return (moment.astimezone(UTC) + elapsed).astimezone(zone)


class Span(NamedTuple):
    """Years, months and days between two dates."""

    years: int
    months: int
    days: int


def span_between(start: date, end: date) -> Span:
    """In whole years, then months, then days; `start` is not after `end`."""
    months = (end.year - start.year) * 12 + end.month - start.month
    first = datetime.combine(start, datetime.min.time())
    if months_later(first, months).date() > end:
        months -= 1
    return Span(*divmod(months, 12), (end - months_later(first, months).date()).days)


def workdays_between(start: date, end: date) -> int:
    """Days from Monday to Friday, the first counted and the last not; `start` is not after `end`."""
    weeks, rest = divmod((end - start).days, 7)
    return weeks * 5 + sum((start.weekday() + day) % 7 < 5 for day in range(rest))
