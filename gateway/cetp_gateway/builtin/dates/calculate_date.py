"""The tool that calculates with dates and times.

Above: `all_tools`. Below: `moments`, `zones`.
"""

from collections.abc import Callable
from datetime import datetime, timedelta, tzinfo
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from cetp_gateway.api import CallContext, Effect
from cetp_gateway.builtin.builtin_tool import BuiltinTool, NotPossible, json_text
from cetp_gateway.builtin.dates.moments import (
    elapsed_later,
    moment_of,
    months_later,
    span_between,
    workdays_between,
    workdays_later,
)
from cetp_gateway.builtin.declared import Asked, Declared
from cetp_gateway.builtin.zones import ZONE, zone_of

_WHEN: Final = "Date or time in ISO 8601, or today, now, tomorrow, yesterday."
Number = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]


class DateAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is to be worked out of which moments."""

    operation: Annotated[
        Literal["add", "difference", "describe"],
        Meta(description="add: a later or earlier moment. difference: from date to other. describe: weekday, week, …"),
    ]
    date: Annotated[str, Meta(max_length=64, description=_WHEN)] = "now"
    other: Annotated[str, Meta(max_length=64, description=f"For difference. {_WHEN}")] = "now"
    years: Number = 0
    months: Number = 0
    weeks: Number = 0
    days: Number = 0
    workdays: Annotated[int, Meta(ge=-1_000_000, le=1_000_000, description="Days from Monday to Friday.")] = 0
    hours: Number = 0
    minutes: Number = 0
    zone: Annotated[str, ZONE] = ""
    to_zone: Annotated[str, Meta(max_length=64, description="Zone to show the result in; empty is `zone`.")] = ""


class CalculateDate(BuiltinTool[DateAsked]):
    """Reads a clock that it is given; the machine's when none is."""

    declared = Declared(
        DateAsked,
        name="calculate_date",
        effect=Effect.READS,
        description=(
            "Calculates with dates and times: adds or subtracts (negative numbers) years to minutes, tells the "
            "difference between two, the weekday and week of one, or the same moment in another time zone."
        ),
    )

    def __init__(self, clock: Callable[[], datetime] = lambda: datetime.now().astimezone()) -> None:
        self._clock = clock

    async def run(self, asked: DateAsked, context: CallContext) -> str:  # noqa: ARG002
        now = self._clock()
        zone: tzinfo = zone_of(asked.zone) if asked.zone else _zone_here(now)
        shown_in = zone_of(asked.to_zone) if asked.to_zone else zone
        date = moment_of("date", asked.date, now, zone)
        try:
            if asked.operation == "difference":
                return json_text(_difference(date, moment_of("other", asked.other, now, zone)))
            moment = _later(date, asked) if asked.operation == "add" else date
            return json_text(_described(moment.astimezone(shown_in)))
        except (OverflowError, ValueError):
            raise NotPossible("The result would not be within the years 1 to 9999.") from None


def _zone_here(now: datetime) -> tzinfo:
    return now.tzinfo or now.astimezone().tzinfo or zone_of("UTC")


def _later(moment: datetime, asked: DateAsked) -> datetime:
    """Years to days by the calendar, hours and minutes by the stopwatch."""
    moment = months_later(moment, 12 * asked.years + asked.months)
    moment += timedelta(weeks=asked.weeks, days=asked.days)
    moment = workdays_later(moment, asked.workdays)
    return elapsed_later(moment, timedelta(hours=asked.hours, minutes=asked.minutes))


def _described(moment: datetime) -> dict[str, Any]:
    year, week, _ = moment.isocalendar()
    return {
        "time": moment.isoformat(timespec="seconds"),
        "weekday": moment.strftime("%A"),
        "iso_week": f"{year}-W{week:02}",
        "day_of_year": moment.timetuple().tm_yday,
        "quarter": (moment.month + 2) // 3,
        "unix_s": int(moment.timestamp()),
    }


def _difference(date: datetime, other: datetime) -> dict[str, Any]:
    elapsed = other - date if other.utcoffset() == date.utcoffset() else _elapsed(date, other)
    start, end = sorted((date.date(), other.date()))
    span = span_between(start, end)
    return {
        "from": date.isoformat(timespec="seconds"),
        "to": other.isoformat(timespec="seconds"),
        "days": (other.date() - date.date()).days,
        "workdays": workdays_between(start, end),
        "calendar": {"years": span.years, "months": span.months, "days": span.days},
        "seconds": int(elapsed.total_seconds()),
        "earlier": "other" if elapsed < timedelta() else "date",
    }


def _elapsed(date: datetime, other: datetime) -> timedelta:
    """Between moments of one zone Python counts by the clock on the wall, not by the stopwatch."""
    return timedelta(seconds=other.timestamp() - date.timestamp())
