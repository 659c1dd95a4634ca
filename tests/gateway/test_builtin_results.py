"""Kept results: their bounds, and how they are read."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cetp_gateway.api import Answered, Origin
from cetp_gateway.builtin import KeptResults
from cetp_gateway.builtin.results.kept_results import OVERHEAD_BYTES
from cetp_gateway.builtin.results.places import places_of
from cetp_gateway.settings.limits import LimitSettings
from support.builtin_calls import Builtins

PHONE = Origin("pixel", "com.example.notes")
TWO_KB = "x" * (2048 - OVERHEAD_BYTES)


def kept_with(**limits: Any) -> KeptResults:
    return KeptResults(lambda: LimitSettings(**limits))


def keep(results: KeptResults, text: str, session_id: str = "s") -> str:
    return results.keep(session_id, text, tool="notes__list", origin=PHONE)


def references(results: KeptResults, session_id: str = "s") -> list[str]:
    return [kept.reference for kept in results.of(session_id)]


@pytest.mark.parametrize("limits", [{"kept_results": 2}, {"kept_session_bytes": 4096}])
async def test_in_a_full_session_the_oldest_results_give_way(limits: dict[str, int]) -> None:
    results = kept_with(**limits)
    other = keep(results, TWO_KB, "other")
    first, second, third = (keep(results, TWO_KB) for _ in range(3))
    assert references(results) == [second, third]
    assert references(results, "other") == [other]
    assert len({first, second, third, other}) == 4
    await results.aclose()


async def test_all_sessions_together_have_a_bound_too() -> None:
    results = kept_with(kept_bytes=6144)
    first = [keep(results, TWO_KB, name) for name in ("a", "b", "c")]
    assert references(results, "a") == first[:1]
    keep(results, TWO_KB, "d")
    assert [len(results.of(name)) for name in "abcd"] == [0, 1, 1, 1]
    await results.aclose()


@pytest.mark.parametrize("limits", [{"kept_session_bytes": 2047}, {"kept_bytes": 2047}])
async def test_what_is_larger_than_all_that_may_be_kept_costs_no_other_result(limits: dict[str, int]) -> None:
    results = kept_with(**limits)
    small = keep(results, "small")
    assert keep(results, TWO_KB) == ""
    assert references(results) == [small]
    await results.aclose()


async def test_a_result_is_forgotten_at_its_age_without_anybody_asking() -> None:
    results = kept_with(kept_results_s=0.01)
    keep(results, "one")
    keep(results, "two", "other")
    passed = asyncio.Event()
    asyncio.get_running_loop().call_at(results.of("other")[0].until + 0.001, passed.set)
    async with asyncio.timeout(5):
        await passed.wait()
    assert results.of("s") == results.of("other") == []


async def test_the_last_turn_of_a_deleted_session_keeps_nothing_more() -> None:
    results = kept_with()
    with results.turn("s") as keeper:
        assert keeper.keep("before", tool="t", origin=None)
        results.forget("s")
        assert keeper.keep("after", tool="t", origin=None) == ""
        assert results.of("s") == []
    with results.turn("s") as keeper:
        assert keeper.keep("of the next session", tool="t", origin=None)
    await results.aclose()


class Reading:
    """The tools over one kept result."""

    def __init__(self, folder: Path, text: str, **limits: Any) -> None:
        self.results = kept_with(**limits)
        self.tools = Builtins(folder, {"results": self.results})
        self.reference = keep(self.results, text)

    async def __call__(self, **given: Any) -> tuple[str, str]:
        """Head and text."""
        outcome = await self.tools.outcome("read_result", result=self.reference, **given)
        assert isinstance(outcome, Answered)
        assert outcome.origin == PHONE
        head, text = outcome.output.split("\n", 1)
        return head.removeprefix(f"[{self.reference} of notes__list: ").removesuffix("]"), text

    async def refusal(self, **given: Any) -> str:
        return await self.tools.refusal("read_result", **({"result": self.reference} | given))


async def test_a_part_by_characters_says_where_it_goes_on(tmp_path: Path) -> None:
    read = Reading(tmp_path, "".join(f"{number:05}" for number in range(5000)))
    assert await read() == (
        "characters 0 to 20000 of 25000; go on with offset 20000",
        read.results.of("s")[0].text[:20_000],
    )
    assert await read(offset=24_990) == ("characters 24990 to 25000 of 25000", "0499804999")
    assert "25000 characters" in await read.refusal(offset=25_001)


async def test_an_answer_is_short_enough_not_to_be_cut_itself(tmp_path: Path) -> None:
    read = Reading(tmp_path, "x" * 5000, result_chars=1000)
    assert await read() == ("characters 0 to 700 of 5000; go on with offset 700", "x" * 700)


async def test_a_part_by_lines_has_whole_lines(tmp_path: Path) -> None:
    read = Reading(tmp_path, "one\ntwo\nthree\n" + "x" * 30_000 + "\nlast")
    assert await read(first_line=2, max_lines=2) == (
        "characters 4 to 14 of 30019; go on with offset 14",
        "two\nthree\n",
    )
    assert (await read(first_line=1))[1] == "one\ntwo\nthree\n"
    assert (await read(first_line=4))[1] == "x" * 20_000
    assert await read(first_line=5) == ("characters 30015 to 30019 of 30019", "last")
    assert "first_line: the result has 5 lines." in await read.refusal(first_line=6)
    assert "either offset or first_line" in await read.refusal(first_line=1, offset=1)


async def test_places_of_words_are_shown_with_the_lines_around_them(tmp_path: Path) -> None:
    read = Reading(tmp_path, "a\nb\nMilk and milk\nd\ne\nf\ng\nstraße MILK\ni\n")
    assert await read(find="milk", around=1) == (
        "3 places",
        "line 3, offset 4:\nb\nMilk and milk\nd\nline 8, offset 33:\ng\nstraße MILK\ni",
    )
    assert await read(find="milk", around=0, offset=5) == (
        "2 places from offset 5",
        "line 3, offset 13:\nMilk and milk\nline 8, offset 33:\nstraße MILK",
    )
    assert await read(find="bread") == ("0 places", "The words do not stand there.")


async def test_of_one_long_line_the_part_around_a_place_is_shown(tmp_path: Path) -> None:
    read = Reading(tmp_path, "x" * 100_000 + "milk" + "y" * 100_000)
    head, text = await read(find="MILK", around=0)
    assert head == "1 place"
    assert text == "line 1, offset 100000:\n…" + "x" * 300 + "milk" + "y" * 300 + "…"


async def test_what_is_not_kept_is_said_with_what_is(tmp_path: Path) -> None:
    read = Reading(tmp_path, "12345")
    said = await read.refusal(result="r3")
    assert "nothing is kept as 'r3'" in said
    assert "60 minutes" in said
    assert "restart" in said
    assert f"Kept now: {read.reference} (notes__list, 5 characters)." in said


async def test_queries_take_exactly_one_of_text_path_and_result(tmp_path: Path) -> None:
    read = Reading(tmp_path, '{"a":[1,2]}')
    assert await read.tools.said("query_json", query="a[1]", result=read.reference) == "2"
    for wrong in ({}, {"text": "{}", "result": read.reference}, {"path": "a.json", "result": read.reference}):
        assert "text, path or result" in await read.tools.refusal("query_json", query="@", **wrong)
        assert "text, path or result" in await read.tools.refusal("query_csv", query="SELECT 1", **wrong)


ROOM = 300


@settings(deadline=None)
@given(st.text(alphabet="abB\nßİ", max_size=900), st.text(alphabet="aBß", min_size=1, max_size=3), st.integers(0, 3))
def test_going_on_where_a_search_stopped_shows_every_place(text: str, words: str, around: int) -> None:
    start, seen = 0, set[int]()
    while True:
        found = places_of(text, words, start=start, around=around, room=ROOM)
        assert len(found.text) <= ROOM
        for place, passage in passages(found.text):
            assert text[place : place + len(words)].casefold() == words.casefold()
            first = text.rindex(passage, 0, place + len(passage))
            seen.update(range(first, first + len(passage)))
        further = re.search(r"go on with offset (\d+)", found.head)
        if not further:
            break
        assert int(further[1]) > start
        start = int(further[1])
    assert seen.issuperset(match.start() for match in re.finditer(re.escape(words), text))


def passages(shown: str) -> list[tuple[int, str]]:
    """Offset and text of each."""
    _, *parts = re.split(r"^line \d+, offset (\d+):\n", shown, flags=re.MULTILINE)
    return [
        (int(offset), text.removesuffix("\n").strip("…")) for offset, text in zip(parts[::2], parts[1::2], strict=True)
    ]
