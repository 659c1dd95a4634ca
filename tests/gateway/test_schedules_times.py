"""When a schedule is due: cron expressions in time zones, and one time as people write it."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cetp_gateway.errors import ScheduleRefused
from cetp_gateway.schedules.cron import latest_until, next_after
from cetp_gateway.schedules.timing import read_when

BERLIN = ZoneInfo("Europe/Berlin")
TUESDAY = datetime(2026, 3, 10, 13, 30, tzinfo=UTC)
"""14:30 in Berlin."""


def local(*at: int, fold: int = 0) -> datetime:
    year, month, day, hour, minute = at
    return datetime(year, month, day, hour, minute, tzinfo=BERLIN, fold=fold)


def next_times(expression: str, after: datetime, count: int = 3) -> list[str]:
    times = []
    for _ in range(count):
        found = next_after(expression, BERLIN, after)
        assert found is not None
        times.append(found.astimezone(BERLIN).isoformat(timespec="minutes"))
        after = found
    return times


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("in 20 minutes", "2026-03-10T14:50:00+01:00"),
        ("In 90 seconds", "2026-03-10T14:31:30+01:00"),
        ("in an hour", "2026-03-10T15:30:00+01:00"),
        ("half an hour", "2026-03-10T15:00:00+01:00"),
        ("in 1 hour and 30 minutes", "2026-03-10T16:00:00+01:00"),
        ("tomorrow at 9", "2026-03-11T09:00:00+01:00"),
        ("tomorrow at 9am", "2026-03-11T09:00:00+01:00"),
        ("tomorrow 18:00", "2026-03-11T18:00:00+01:00"),
        ("monday at 8", "2026-03-16T08:00:00+01:00"),
        ("next monday at 8:30", "2026-03-16T08:30:00+01:00"),
        ("tonight at 8pm", "2026-03-10T20:00:00+01:00"),
        ("at 17:30", "2026-03-10T17:30:00+01:00"),
        ("14:33", "2026-03-10T14:33:00+01:00"),
        ("at 9:00", "2026-03-11T09:00:00+01:00"),
        ("noon", "2026-03-11T12:00:00+01:00"),
        ("April 3 at 10am", "2026-04-03T10:00:00+02:00"),
        ("2026-04-01 09:00", "2026-04-01T09:00:00+02:00"),
        ("2026-04-01T09:00Z", "2026-04-01T11:00:00+02:00"),
        ("9:00 EST", "2026-03-11T15:00:00+01:00"),
        ("20分钟后", "2026-03-10T14:50:00+01:00"),
        ("二十五分钟后", "2026-03-10T14:55:00+01:00"),
        ("半小时后", "2026-03-10T15:00:00+01:00"),
        ("两个小时后", "2026-03-10T16:30:00+01:00"),
        ("明天上午9点", "2026-03-11T09:00:00+01:00"),
        ("明天下午三点半", "2026-03-11T15:30:00+01:00"),
        ("后天 18:30", "2026-03-12T18:30:00+01:00"),
        ("今晚8点", "2026-03-10T20:00:00+01:00"),
        ("周一早上9点", "2026-03-16T09:00:00+01:00"),
    ],
)
def test_one_time_is_read_as_people_write_it_in_english_and_chinese(text: str, meant: str) -> None:
    assert read_when(text, "Europe/Berlin", TUESDAY) == (meant, False)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tomorrow", "not understood"),
        ("明天", "not understood"),
        ("tomorrow 25:00", "not understood"),
        ("in 20 minuts", "not understood"),
        ("一百分钟后", "not understood"),
        ("daily", "not understood"),
        ("hello", "not understood"),
        ("5 minutes ago", "is past: it means 2026-03-10 14:25 CET"),
        ("yesterday at 9", "is past"),
        ("2026-03-10T14:29", "is past"),
        ("2026-04-01", "says no time of day"),
        ("99999999 minutes", "more than five years"),
        ("9999-12-31T23:59:59-14:00", "out of reach"),
        ("", "empty"),
        ("x" * 101, "100 characters"),
        ("61 * * * *", "no cron expression: Bad minute"),
        ("0 0 30 2 *", "no cron expression: Bad day"),
        ("* * * * * *", "five fields"),
        ("@reboot", "five fields"),
    ],
)
def test_what_is_not_understood_for_sure_is_refused_with_what_to_write_instead(text: str, said: str) -> None:
    with pytest.raises(ScheduleRefused, match=r"^when: ") as refused:
        read_when(text, "Europe/Berlin", TUESDAY)
    assert said in str(refused.value)


def test_an_unknown_time_zone_is_refused_with_examples() -> None:
    with pytest.raises(ScheduleRefused, match=r"Mars.*Asia/Shanghai"):
        read_when("in 5 minutes", "Mars/Olympus", TUESDAY)


def test_a_fixed_time_that_the_clock_jumps_over_runs_once_right_behind_the_gap() -> None:
    assert next_times("30 2 * * *", local(2026, 3, 28, 12, 0)) == [
        "2026-03-29T03:00+02:00",
        "2026-03-30T02:30+02:00",
        "2026-03-31T02:30+02:00",
    ]


def test_a_fixed_time_that_comes_twice_runs_at_its_first_coming_alone() -> None:
    assert next_times("30 2 * * *", local(2026, 10, 24, 12, 0)) == [
        "2026-10-25T02:30+02:00",
        "2026-10-26T02:30+01:00",
        "2026-10-27T02:30+01:00",
    ]


def test_an_hourly_time_follows_elapsed_time_through_the_hour_that_comes_twice() -> None:
    assert next_times("30 * * * *", local(2026, 10, 25, 1, 45)) == [
        "2026-10-25T02:30+02:00",
        "2026-10-25T02:30+01:00",
        "2026-10-25T03:30+01:00",
    ]


def test_within_the_second_coming_of_an_hour_the_next_time_is_never_past() -> None:
    now = local(2026, 10, 25, 2, 10, fold=1)
    found = next_after("30 2 * * *", BERLIN, now)
    assert found == local(2026, 10, 26, 2, 30)


def test_one_time_within_the_gap_moves_behind_it_and_lengths_count_elapsed_time() -> None:
    before = local(2026, 3, 28, 12, 0).astimezone(UTC)
    assert read_when("2026-03-29 02:30", "Europe/Berlin", before)[0] == "2026-03-29T03:30:00+02:00"
    assert read_when("in 1 day", "Europe/Berlin", before)[0] == "2026-03-29T13:00:00+02:00"
    assert read_when("2026-10-25 02:30", "Europe/Berlin", before)[0] == "2026-10-25T02:30:00+02:00"


@pytest.mark.parametrize("expression", ["*/7 * * * *", "30 2 * * *", "0 9 * * MON-FRI", "0 0 L * *", "15 3 29 2 *"])
@given(minutes=st.integers(0, 3 * 366 * 24 * 60))
def test_next_is_always_later_and_latest_never_is(expression: str, minutes: int) -> None:
    moment = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes, seconds=minutes % 60)
    upcoming, latest = next_after(expression, BERLIN, moment), latest_until(expression, BERLIN, moment)
    assert upcoming is not None
    assert latest is not None
    assert latest <= moment < upcoming
