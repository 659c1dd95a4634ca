"""Packs as files: what is wrong with a bad one is said with its place; those that ship answer real questions."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cetp_gateway.errors import PackError
from cetp_gateway.phone import Provider, load_pack, read_pack, shipped_packs
from cetp_spec.naming import public_names
from support.phones import ENERGY, NOTES, TODAY, pack, shipped, tool

LAMP: dict[str, Any] = {"package": "com.example.lamp", "label": "Lamp", "tools": []}
QUERY_OF_NOTHING = {"name": "t", "replies": [{"query": {"table": "gone"}}]}
UNKNOWN_ARGUMENT = {
    "name": "t",
    "replies": [{"query": {"table": "rows", "where": [{"fields": ["a"], "equals": "$b"}]}}],
}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"package": "lamp"}, "/package: "),
        ({"colour": "red"}, "/: Additional properties are not allowed ('colour'"),
        ({"tools": [{"description": "no name"}]}, "/tools/0: 'name' is a required property"),
        ({"tools": [{"name": "t", "replies": [{}]}]}, "/tools/0/replies/0: a reply has exactly one of query, data"),
        ({"tools": [{"name": "t", "delay_ms": -1}]}, "/tools/0/delay_ms: "),
        ({"tools": [QUERY_OF_NOTHING]}, "/tools/0/replies/0/query/table: no table 'gone' in data; there are none"),
        (
            {"tools": [UNKNOWN_ARGUMENT], "data": {"rows": []}},
            "/tools/0/replies/0/query/where/0/equals: t has no argument 'b'; it has none",
        ),
        ({"tools": [{"name": "t", "replies": [{"when": {"x": 1}, "text": "hi"}]}]}, "/tools/0/replies/0/when/x: "),
    ],
)
def test_a_bad_pack_is_refused_with_the_place_of_each_problem(change: dict[str, Any], expected: str) -> None:
    with pytest.raises(PackError) as refused:
        read_pack(json.dumps(LAMP | change), "lamp.json")

    assert f"lamp.json: {expected}" in str(refused.value)


def test_all_problems_of_a_pack_are_named_at_once() -> None:
    with pytest.raises(PackError) as refused:
        read_pack(json.dumps({"label": 7, "tools": {}}))

    assert {line.split(": ")[1] for line in str(refused.value).splitlines()} == {"/", "/label", "/tools"}


@pytest.mark.parametrize("text", ["{", "[1", '{"label": NaN}', "[" * 5000 + "]" * 5000, "\xff".encode("latin-1")])
def test_a_text_that_is_no_pack_is_refused_and_never_crashes(text: str | bytes) -> None:
    with pytest.raises(PackError):
        read_pack(text)


def test_a_pack_nested_too_deeply_is_refused() -> None:
    deep: Any = "bottom"
    for _ in range(100):
        deep = [deep]
    with pytest.raises(PackError, match="nested deeper than 64"):
        read_pack(json.dumps({**LAMP, "data": {"rows": [{"deep": deep}]}}))


@given(st.recursive(st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(), st.lists, max_leaves=5))
def test_any_other_json_is_refused(value: Any) -> None:
    with pytest.raises(PackError):
        read_pack(json.dumps(value))


def test_a_missing_file_is_named_without_the_folders_above_it(tmp_path: Path) -> None:
    with pytest.raises(PackError, match=r"^gone\.json: cannot be read"):
        load_pack(tmp_path / "gone.json")


def test_a_pack_may_be_bad_for_a_gateway_on_purpose() -> None:
    bad = pack(tool("two words"), tool("", parameters="text"), tool("loop", parameters={"$ref": "#"}))

    assert [entry.name for entry in bad.tools] == ["two words", "", "loop"]


def test_two_packs_ship_and_their_tools_have_the_names_that_the_readme_can_promise() -> None:
    names = public_names({each.package: [entry.name for entry in each.tools] for each in shipped_packs()})

    assert sorted(names.values()) == [
        "energy__current_power",
        "energy__daily_consumption",
        "energy__list_devices",
        "notes__list_notebooks",
        "notes__read_note",
        "notes__search_notes",
    ]


async def ask(package: str, tool_name: str, **arguments: Any) -> Any:
    """What a shipped, authorised app answers on a Wednesday."""
    provider = Provider(shipped(package), authorised=True, today=lambda: TODAY)
    bundle = await provider.execute_tool(tool_name, json.dumps(arguments))
    assert bundle["status"] == "success", bundle
    return json.loads(bundle["data"])


async def test_what_is_due_this_week_can_be_answered_from_the_notes() -> None:
    found = await ask(NOTES, "search_notes", due="this_week")

    assert [(note["title"], note["due"]) for note in found["notes"]] == [
        ("Library books", "2026-03-11"),
        ("Quarterly report", "2026-03-12"),
        ("Pay the rent", "2026-03-13"),
    ]


async def test_the_same_question_in_a_persons_words_finds_the_same_notes() -> None:
    found = await ask(NOTES, "search_notes", query="What is due this week?")

    assert {"Library books", "Quarterly report", "Pay the rent"} <= {note["title"] for note in found["notes"]}


async def test_dates_inside_the_notes_texts_are_those_of_their_fields() -> None:
    rent = await ask(NOTES, "read_note", id="n-101")

    assert rent["body"].startswith("Rent is due on 2026-03-13.")


async def test_notes_come_in_pages_that_join_without_gap_or_overlap() -> None:
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = await ask(NOTES, "search_notes", limit=4, offset=offset)
        seen += [note["id"] for note in page["notes"]]
        offset = page.get("next_offset")

    assert len(seen) == len(set(seen)) == page["total"] == 9


async def test_what_the_fridge_used_yesterday_can_be_answered_from_the_meter() -> None:
    used = await ask(ENERGY, "daily_consumption", device="the fridge", period="yesterday")

    assert used["readings"] == [{"day": "2026-03-10", "device": "Fridge-freezer", "kwh": 0.87}]
    assert used["total_kwh"] == 0.87


async def test_the_totals_of_the_meter_are_the_sums_of_its_readings() -> None:
    used = await ask(ENERGY, "daily_consumption", period="last_week")

    assert len({reading["day"] for reading in used["readings"]}) == 7
    assert used["total_kwh"] == pytest.approx(sum(reading["kwh"] for reading in used["readings"]))


async def test_a_name_that_shares_one_word_with_two_devices_means_the_one_that_shares_both() -> None:
    used = await ask(ENERGY, "current_power", device="washing machine")

    assert [device["device"] for device in used["devices"]] == ["Washing machine"]
