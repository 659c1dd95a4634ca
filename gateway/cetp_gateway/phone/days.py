"""Days in packs: data that stays fresh (`{today-1}`) and periods that a tool can be asked for (`this_week`).

Plain functions of a date; who says what day it is, is the provider's business.
"""

import re
from datetime import date, timedelta
from typing import Any

PERIODS = ("today", "yesterday", "tomorrow", "this_week", "last_week", "next_week", "past", "future")
"""Names that a `during` condition takes besides a day. Weeks run from Monday to Sunday; `past` ends yesterday,
`future` begins tomorrow."""

_MARK = re.compile(r"\{(today|monday)([+-]\d{1,4})?\}")


def render_days(value: Any, today: date) -> Any:
    """Replace `{today}`, `{today+N}`, `{monday}` and `{monday-N}` in all texts of a JSON value by ISO dates.

    `monday` is the first day of the current week; anything else in braces stays as it is.
    """
    if isinstance(value, str):
        return _MARK.sub(lambda mark: _day(mark, today), value)
    if isinstance(value, list):
        return [render_days(item, today) for item in value]
    if isinstance(value, dict):
        return {key: render_days(item, today) for key, item in value.items()}
    return value


def _day(mark: re.Match[str], today: date) -> str:
    start = today if mark[1] == "today" else monday_of(today)
    return (start + timedelta(days=int(mark[2] or 0))).isoformat()


def monday_of(day: date) -> date:
    """The first day of the week that holds `day`."""
    return day - timedelta(days=day.weekday())


def first_and_last(period: str, today: date) -> tuple[str, str]:
    """First and last day of a period as ISO dates; a text that names no period stands for that one day."""
    monday = monday_of(today)
    spans = {
        "today": (today, today),
        "yesterday": (_after(today, -1), _after(today, -1)),
        "tomorrow": (_after(today, 1), _after(today, 1)),
        "this_week": (monday, _after(monday, 6)),
        "last_week": (_after(monday, -7), _after(monday, -1)),
        "next_week": (_after(monday, 7), _after(monday, 13)),
        "past": (date.min, _after(today, -1)),
        "future": (_after(today, 1), date.max),
    }
    span = spans.get(period.strip().lower().replace(" ", "_"))
    return (span[0].isoformat(), span[1].isoformat()) if span else (period, period)


def _after(day: date, days: int) -> date:
    return day + timedelta(days=days)
