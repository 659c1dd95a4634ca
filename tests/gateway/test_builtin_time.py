"""The clock and the calendar."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest

from cetp_gateway.api import Answered, CallContext, Refused, Tool
from cetp_gateway.builtin.current_time import CurrentTime
from cetp_gateway.builtin.dates.calculate_date import CalculateDate
from cetp_gateway.settings.limits import LimitSettings
from cetp_gateway.settings.schema import ToolSettings
from cetp_gateway.tools import ToolRegistry

BERLIN = ZoneInfo("Europe/Berlin")
NOON = datetime(2024, 2, 29, 12, 30, 15, tzinfo=BERLIN)


async def ask(tool: Tool, **given: Any) -> Any:
    """The answer as JSON; the text of a refusal."""
    registry = ToolRegistry(ToolSettings(), LimitSettings())
    registry.add(tool)
    found = registry.view().find(tool.spec.name)
    assert found is not None
    arguments = found.read_arguments(given)
    assert isinstance(arguments, dict), arguments
    outcome = await found.execute(arguments, CallContext(call_id="c", deadline=1e9, caller="agent"))
    if isinstance(outcome, Refused):
        return f"{outcome.message} {outcome.hint}".strip()
    assert isinstance(outcome, Answered)
    return msgspec.json.decode(outcome.output)


async def date(operation: str, **given: Any) -> Any:
    return await ask(CalculateDate(lambda: NOON), operation=operation, **given)


async def later(start: str, **given: Any) -> str:
    return str((await date("add", date=start, **given))["time"])


async def test_the_time_is_told_here_and_elsewhere() -> None:
    clock = CurrentTime(lambda: NOON)
    assert await ask(clock) == {
        "time": "2024-02-29T12:30:15+01:00",
        "weekday": "Thursday",
        "zone": "CET",
        "unix_s": 1709206215,
    }
    assert (await ask(clock, zone="Asia/Shanghai"))["time"] == "2024-02-29T19:30:15+08:00"


@pytest.mark.parametrize("zone", ["Europe/Berln", "../../etc/passwd", "/etc/passwd", "Mars", "\0"])
async def test_an_unknown_zone_is_refused_with_known_ones(zone: str) -> None:
    said = await ask(CurrentTime(lambda: NOON), zone=zone)
    assert said.startswith("zone: no time zone is named")
    assert "Try " in said


async def test_the_machines_own_clock_is_read() -> None:
    said = datetime.fromisoformat((await ask(CurrentTime()))["time"])
    assert abs(said - datetime.now(UTC)) < timedelta(minutes=5)


@pytest.mark.parametrize(
    ("start", "step", "result"),
    [
        ("2024-01-31", {"months": 1}, "2024-02-29T00:00:00+01:00"),
        ("2024-02-29", {"years": 1}, "2025-02-28T00:00:00+01:00"),
        ("2024-03-31", {"months": -1}, "2024-02-29T00:00:00+01:00"),
        ("2024-12-15", {"months": 13}, "2026-01-15T00:00:00+01:00"),
        ("2024-02-28", {"days": 2}, "2024-03-01T00:00:00+01:00"),
        ("2024-01-01", {"weeks": -1}, "2023-12-25T00:00:00+01:00"),
        ("today", {"days": 1}, "2024-03-01T00:00:00+01:00"),
        ("tomorrow", {}, "2024-03-01T00:00:00+01:00"),
        ("now", {"minutes": 45}, "2024-02-29T13:15:15+01:00"),
        ("2024-02-29T23:00:00Z", {}, "2024-03-01T00:00:00+01:00"),
        # The night in which clocks are put forward: a day is a day, 24 hours are 24 hours.
        ("2024-03-30T12:00", {"days": 1}, "2024-03-31T12:00:00+02:00"),
        ("2024-03-30T12:00", {"hours": 24}, "2024-03-31T13:00:00+02:00"),
        ("2024-03-01", {"workdays": 1}, "2024-03-04T00:00:00+01:00"),
        ("2024-03-02", {"workdays": 5}, "2024-03-08T00:00:00+01:00"),
        ("2024-03-04", {"workdays": -1}, "2024-03-01T00:00:00+01:00"),
        ("2024-03-03", {"workdays": -6}, "2024-02-23T00:00:00+01:00"),
        ("2024-03-06", {"workdays": 250}, "2025-02-19T00:00:00+01:00"),
    ],
)
async def test_steps_through_the_calendar(start: str, step: dict[str, int], result: str) -> None:
    assert await later(start, zone="Europe/Berlin", **step) == result


async def test_a_moment_is_shown_in_another_zone() -> None:
    shown = await later("2024-07-01T09:00", zone="America/New_York", to_zone="Asia/Shanghai")
    assert shown == "2024-07-01T21:00:00+08:00"


async def test_the_difference_is_told_in_days_workdays_and_by_the_calendar() -> None:
    found = await date("difference", date="2023-12-24", other="2024-02-29", zone="Europe/Berlin")
    assert (found["days"], found["workdays"], found["seconds"]) == (67, 48, 67 * 86_400)
    assert found["calendar"] == {"years": 0, "months": 2, "days": 5}
    back = await date("difference", date="2024-02-29", other="2023-12-24", zone="Europe/Berlin")
    assert (back["days"], back["earlier"]) == (-67, "other")
    over_the_change = await date("difference", date="2024-03-30", other="2024-04-01", zone="Europe/Berlin")
    assert (over_the_change["days"], over_the_change["seconds"]) == (2, 47 * 3600)


async def test_a_date_is_described() -> None:
    assert await date("describe", date="2024-12-30", zone="UTC") == {
        "time": "2024-12-30T00:00:00+00:00",
        "weekday": "Monday",
        "iso_week": "2025-W01",
        "day_of_year": 365,
        "quarter": 4,
        "unix_s": 1735516800,
    }


@pytest.mark.parametrize("text", ["soon", "2024-13-01", "30.02.2024", "9" * 60])
async def test_what_is_no_date_is_refused_with_the_form(text: str) -> None:
    assert "2024-02-29T18:30" in await date("describe", date=text)


@pytest.mark.parametrize(
    "step",
    [{"years": 9000}, {"years": -3000}, {"days": 10**6, "weeks": 10**6}, {"workdays": -(10**6)}, {"months": 10**6}],
)
async def test_the_calendar_has_an_end(step: dict[str, int]) -> None:
    assert "years 1 to 9999" in await date("add", date="2024-01-01", zone="UTC", **step)
