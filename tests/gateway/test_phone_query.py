"""The small query of packs, as a plain function."""

from collections.abc import Callable
from datetime import date
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cetp_gateway.phone.days import PERIODS, first_and_last, render_days
from cetp_gateway.phone.query import Query, run
from support.phones import TODAY

ROWS: list[dict[str, Any]] = [
    {"id": 1, "name": "Fridge", "room": "Kitchen", "day": "2026-03-10", "kwh": 0.5, "tags": ["cold"]},
    {"id": 2, "name": "Coffee machine", "room": "Kitchen", "day": "2026-03-11", "kwh": 0.25, "tags": []},
    {"id": 3, "name": "Washing machine", "room": "Cellar", "day": "2026-03-08", "kwh": 1, "tags": ["wet"]},
    {"id": 4, "name": "烤面包机", "room": "Kitchen"},
]


def ids(arguments: dict[str, Any] | None = None, **query: Any) -> list[int]:
    """The ids of the records that a query over ROWS finds, in its order."""
    typed = msgspec.convert({"table": "rows", "name": "found", **query}, Query)
    answer = run(typed, ROWS, arguments or {}, TODAY)
    assert answer is not None
    return [record["id"] for record in answer["found"]]


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ({"fields": ["room"], "equals": "kitchen"}, [1, 2, 4]),
        ({"fields": ["tags"], "equals": "wet"}, [3]),
        ({"fields": ["id"], "equals": 3}, [3]),
        ({"fields": ["name", "room"], "search": "machines of the kitchen"}, [2, 1, 3, 4]),
        ({"fields": ["name"], "search": "面包"}, [4]),
        ({"fields": ["name"], "search": "toaster"}, []),
        ({"fields": ["name"], "closest": "washing machine"}, [3]),
        ({"fields": ["name"], "closest": "toaster"}, []),
        ({"fields": ["day"], "during": "yesterday"}, [1]),
        ({"fields": ["day"], "during": "this week"}, [1, 2]),
        ({"fields": ["day"], "during": "2026-03-08"}, [3]),
        ({"fields": ["day"], "since": "2026-03-10"}, [1, 2]),
        ({"fields": ["day"], "until": "yesterday"}, [1, 3]),
        ({"fields": ["kwh"], "since": 0.3, "until": 0.9}, [1]),
        ({"fields": ["name"], "since": 3}, []),
        ({"fields": ["room"], "equals": "$not_given"}, [1, 2, 3, 4]),
    ],
)
def test_a_condition_keeps_the_records_that_fulfil_it(condition: dict[str, Any], found: list[int]) -> None:
    assert ids(where=[condition]) == found


def test_an_argument_stands_for_its_value_and_an_empty_one_for_nothing() -> None:
    where = [{"fields": ["room"], "equals": "$room"}]

    assert ids({"room": "Cellar"}, where=where) == [3]
    assert ids({"room": ""}, where=where) == ids({"room": None}, where=where) == [1, 2, 3, 4]


def test_records_without_the_sorted_field_come_last_in_either_direction() -> None:
    assert ids(sort=["kwh"]) == [2, 1, 3, 4]
    assert ids(sort=["-kwh"]) == [3, 1, 2, 4]
    assert ids(sort=["room", "-id"]) == [3, 4, 2, 1]


def test_a_group_counts_and_adds_up_its_members() -> None:
    query = Query(table="rows", group="room", sums={"kwh": "kwh"}, sort=("-count",), name="rooms")

    assert run(query, ROWS, {}, TODAY) == {
        "rooms": [{"room": "Kitchen", "count": 3, "kwh": 0.75}, {"room": "Cellar", "count": 1, "kwh": 1}],
        "total": 2,
    }


def test_one_record_is_given_by_itself_and_none_as_nothing() -> None:
    query = Query(table="rows", select=("name",), one=True)

    assert run(query, ROWS, {}, TODAY) == {"name": "Fridge"}
    assert run(query, [], {}, TODAY) is None


def test_sums_are_over_all_records_and_not_the_page() -> None:
    answer = run(Query(table="rows", limit=1, sums={"total_kwh": "kwh"}, select=("id",)), ROWS, {}, TODAY)

    assert answer == {"items": [{"id": 1}], "total": 4, "next_offset": 1, "total_kwh": 1.75}


values = st.none() | st.integers() | st.floats() | st.text(max_size=5) | st.lists(st.text(max_size=3), max_size=2)
records = st.lists(st.dictionaries(st.sampled_from("abc"), values), max_size=6)


@given(records, values, st.sampled_from(["equals", "search", "closest", "since", "until", "during"]))
def test_no_record_and_no_argument_can_make_a_query_fail(
    rows: list[dict[str, Any]], argument: Any, operator: str
) -> None:
    condition = {"fields": ["a", "b"], operator: "$argument"}
    query = msgspec.convert(
        {"table": "rows", "where": [condition], "sort": ["b", "-a"], "sums": {"all": "c"}, "group": "c"}, Query
    )

    answer = run(query, rows, {"argument": argument}, TODAY)

    assert answer is not None
    assert answer["total"] <= len(rows)


@given(records, st.integers(0, 4), st.integers(1, 4))
def test_pages_join_to_the_whole(rows: list[dict[str, Any]], start: int, size: int) -> None:
    query = Query(table="rows", skip="$skip", limit="$limit")
    joined: list[Any] = []
    offset: int | None = start
    while offset is not None:
        page = run(query, rows, {"skip": offset, "limit": size}, TODAY)
        assert page is not None
        joined += page["items"]
        offset = page.get("next_offset")

    assert joined == rows[start:]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("due {today}", "due 2026-03-11"),
        ("{today+1} and {today-11}", "2026-03-12 and 2026-02-28"),
        ("{monday}", "2026-03-09"),
        ("{monday+6}", "2026-03-15"),
        ("{tuesday} {today+x} {}", "{tuesday} {today+x} {}"),
    ],
)
def test_days_in_texts_move_with_the_calendar(text: str, expected: str) -> None:
    assert render_days({"a": [text, 1]}, TODAY) == {"a": [expected, 1]}


@pytest.mark.parametrize("period", PERIODS)
@given(today=st.dates(min_value=date(1990, 1, 1), max_value=date(2090, 1, 1)))
def test_every_period_begins_no_later_than_it_ends(period: str, today: date) -> None:
    first, last = first_and_last(period, today)

    assert date.fromisoformat(first) <= date.fromisoformat(last)


@pytest.mark.parametrize(
    ("weekday", "day"),
    [("Monday", date(2026, 3, 9)), ("Wednesday", TODAY), ("Sunday", date(2026, 3, 15))],
)
def test_a_week_runs_from_monday_to_sunday_whatever_today_is(weekday: str, day: date) -> None:
    bounds: Callable[[str], tuple[str, str]] = lambda period: first_and_last(period, day)  # noqa: E731

    assert day.strftime("%A") == weekday
    assert bounds("this_week") == ("2026-03-09", "2026-03-15")
    assert bounds("last_week") == ("2026-03-02", "2026-03-08")
    assert bounds("next_week") == ("2026-03-16", "2026-03-22")
