"""Recall by words: any text is a safe query, every script is found, and the best comes first."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cetp_gateway.memory.words import indexed, phrases
from support.memories import entry, keys, remembering


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("wifi-6", ["router"]),
        ("-battery", ["battery"]),
        ("foo:bar", ["foobar"]),
        ("don't", ["dont"]),
        ("C++", ["cpp"]),
        ("AND", ["and"]),
        ("NOT closed", ["not"]),
        ("battery OR", ["battery", "or"]),
        ("NEAR(battery, 5)", ["battery"]),
        ("body:battery", []),
        ("text : battery", ["battery"]),
        ('"battery', ["battery"]),
        ("battery\x00OR", ["battery", "or"]),
        ("(", []),
        ('"', []),
        ("*", []),
        ("^", []),
        ("", []),
        (" \n\t ", []),
        ("🔋", []),
    ],
)
async def test_ordinary_words_are_no_syntax(tmp_path: Path, query: str, found: list[str]) -> None:
    async with remembering(tmp_path) as memory:
        for key, content in {
            "router": "the wifi-6 router",
            "battery": "battery low",
            "foobar": "see foo:bar",
            "dont": "they don't",
            "cpp": "written in C++",
            "and": "gates: AND",
            "not": "NOT here",
            "or": "either OR",
        }.items():
            await memory.store(entry(key, content))
        assert sorted(await keys(memory, query)) == found


@given(st.text(max_size=80))
@settings(max_examples=300, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_text_becomes_quoted_phrases_only(text: str) -> None:
    for phrase in phrases(text):
        inner = phrase.removesuffix(" *")
        assert (inner[0], inner[-1]) == ('"', '"')
        assert '"' not in inner[1:-1].replace('""', "")
        assert "\x00" not in inner
    indexed(text)


async def test_hostile_text_is_stored_and_searched_without_an_error(tmp_path: Path) -> None:
    hostile = ['"; DROP TABLE memories; --', "a" * 5000, '" OR "1', "NEAR/2 (", "{text}: x", "\u202eabc", "０１ ﬁ"]
    async with remembering(tmp_path) as memory:
        for number, text in enumerate(hostile):
            await memory.store(entry(f"h{number}", text))
            assert f"h{number}" in await keys(memory, text)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("部署方案", ["plan"]),
        ("部署", ["plan"]),
        ("论", ["plan"]),
        ("案", ["plan"]),
        ("上次讨论的部署方案是什么", ["plan"]),
        ("itgc", ["mixed"]),
        ("重跑", ["mixed"]),
        ("つくば", ["town"]),
        ("서울", ["korea"]),
        ("go", ["short"]),
        ("ai", ["short"]),
        ("讨署", []),
    ],
)
async def test_scripts_without_blanks_are_found_by_words_of_any_length(
    tmp_path: Path, query: str, found: list[str]
) -> None:
    async with remembering(tmp_path) as memory:
        await memory.store(entry("plan", "今天讨论了部署方案"))
        await memory.store(entry("mixed", "重跑gen-itgc后"))
        await memory.store(entry("town", "つくば市に住んでいる"))
        await memory.store(entry("korea", "서울에서 만나요"))
        await memory.store(entry("short", "let us go with ai"))
        assert await keys(memory, query) == found


@pytest.mark.parametrize(
    ("stored", "query"),
    [("Café Zürich", "cafe zurich"), ("ＷＩＦＩ password", "wifi"), ("Straße 5", "STRASSE"), ("ﬁle server", "file")],
)
async def test_spelling_is_levelled_on_both_sides(tmp_path: Path, stored: str, query: str) -> None:
    async with remembering(tmp_path) as memory:
        await memory.store(entry("there", stored))
        assert await keys(memory, query) == ["there"]


async def test_english_word_forms_find_each_other(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        await memory.store(entry("run", "Kim was running three races"))
        assert await keys(memory, "runs a race") == ["run"]


async def test_the_entry_with_more_of_the_words_comes_first(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        await memory.store(entry("half", "the boiler hums at night"))
        await memory.store(entry("whole", "the boiler was serviced in March by Ada"))
        await memory.store(entry("other", "rent is due in May"))
        hits = await memory.recall("when was the boiler serviced?")
        assert [hit.key for hit in hits][:2] == ["whole", "half"]
        assert all(hit.score is not None and 0 <= hit.score <= 1 for hit in hits)


async def test_a_word_that_nearly_all_entries_have_still_finds_the_newest(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        await memory.restore([entry(f"k{number}", f"invoice number {number}") for number in range(1500)])
        await memory.restore([entry("boat", "the invoice for the boat", namespace="other")])
        assert await keys(memory, "invoice", limit=2) == ["k1499", "k1498"]
        assert await keys(memory, "invoice 700", limit=1) == ["k700"]
        # What is common elsewhere may be rare here.
        assert await keys(memory, "invoice", namespace="other") == ["boat"]
