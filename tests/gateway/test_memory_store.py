"""The operations of the memory, its categories and namespaces, and what it refuses."""

from pathlib import Path

import pytest

from cetp_gateway.api import CORE
from cetp_gateway.errors import MemoryRefused
from support.memories import START, Clock, entry, keys, remembering


@pytest.mark.requirement("runtime.memory.operations", "runtime.memory.sqlite")
async def test_store_recall_get_list_forget_count_and_health(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        await memory.store(entry("tea", "Kim likes green tea", importance=0.8))
        await memory.store(entry("bike", "The bike stands in the cellar"))

        found = await memory.get("tea")
        assert found is not None
        assert (found.content, found.category, found.importance) == ("Kim likes green tea", CORE, 0.8)
        assert [(hit.key, hit.score is not None) for hit in await memory.recall("which tea?")] == [("tea", True)]
        assert [each.key for each in await memory.list()] == ["bike", "tea"]
        assert await memory.count() == 2
        assert (await memory.forget("tea"), await memory.forget("tea")) == (True, False)
        assert await memory.get("tea") is None
        health = await memory.health()
        assert (health.backend, health.ok, health.search_mode) == ("sqlite", True, "bm25")


@pytest.mark.requirement("runtime.memory.persistent")
async def test_what_was_stored_is_there_after_a_restart(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        await memory.store(entry("tea", "Kim likes green tea"))
    async with remembering(tmp_path) as memory:
        assert await keys(memory, "tea") == ["tea"]


async def test_the_same_key_again_replaces_the_text_and_keeps_the_first_day(tmp_path: Path) -> None:
    clock = Clock()
    async with remembering(tmp_path, clock=clock) as memory:
        await memory.store(entry("tea", "Kim likes green tea"))
        clock.forward(days=1)
        await memory.store(entry("tea", "Kim prefers coffee now", created_at=clock()))
        found = await memory.get("tea")
        assert found is not None
        assert (found.content, found.created_at, found.updated_at) == ("Kim prefers coffee now", START, clock())
        assert (await keys(memory, "green"), await keys(memory, "coffee")) == ([], ["tea"])
        assert await memory.count() == 1


@pytest.mark.requirement("runtime.memory.categories")
async def test_entries_are_listed_and_recalled_by_category_the_owners_own_ones_too(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        for category in ("core", "daily", "conversation", "recipes"):
            await memory.store(entry(f"in_{category}", f"soup of {category} kind", category=category))
        for category in ("core", "daily", "conversation", "recipes"):
            assert [each.key for each in await memory.list(category=category)] == [f"in_{category}"]
        assert await keys(memory, "soup", category="recipes") == ["in_recipes"]


@pytest.mark.requirement("runtime.memory.namespaces")
async def test_namespaces_do_not_leak_by_any_operation(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        await memory.store(entry("door", "the code of the door is 4711", namespace="kim"))
        await memory.store(entry("door", "the code of the door is 4712", namespace="sam"))
        assert [hit.content[-4:] for hit in await memory.recall("door code", namespace="kim")] == ["4711"]
        assert await keys(memory, "door code") == []
        assert await memory.get("door") is None
        assert [each.content[-4:] for each in await memory.list(namespace="sam")] == ["4712"]
        assert await memory.forget("door") is False
        assert (await memory.count(), await memory.count(namespace="kim")) == (2, 1)
        assert await memory.forget("door", namespace="sam")
        kept = await memory.get("door", namespace="kim")
        # Neither merged with the other one, nor superseded by it.
        assert kept is not None
        assert (kept.content[-4:], kept.superseded_by) == ("4711", "")


async def test_entries_of_one_session_can_be_told_apart(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        await memory.store(entry("one", "soup with leek", session_id="a"))
        await memory.store(entry("two", "soup with beans", session_id="b"))
        assert await keys(memory, "soup", session_id="b") == ["two"]
        assert [each.key for each in await memory.list(session_id="a")] == ["one"]


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"key": " "}, "key"),
        ({"key": "a/b"}, "key"),
        ({"key": "k" * 201}, "key"),
        ({"content": " \x00 "}, "content"),
        ({"content": "x" * 8193}, "memory.content_chars"),
        ({"category": "no blanks"}, "category"),
        ({"namespace": ""}, "namespace"),
        ({"importance": 1.5}, "importance"),
        ({"importance": float("nan")}, "importance"),
        ({"session_id": "s" * 501}, "session_id"),
    ],
)
async def test_what_cannot_be_kept_is_refused_by_the_name_of_its_field(
    tmp_path: Path, fields: dict[str, object], named: str
) -> None:
    async with remembering(tmp_path) as memory:
        with pytest.raises(MemoryRefused, match=named):
            await memory.store(entry(**({"key": "k", "content": "c"} | fields)))  # type: ignore[arg-type]
        assert await memory.count() == 0


async def test_letters_that_no_database_takes_do_not_break_an_entry(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        stored = await memory.store(entry("odd", "half an emoji \ud83d and a\x00zero"))
        assert stored.content == "half an emoji ? and azero"
        assert await keys(memory, "emoji \ud83d") == ["odd"]


async def test_no_memory_at_all_is_a_setting(tmp_path: Path) -> None:
    async with remembering(tmp_path, backend="none") as memory:
        await memory.store(entry("tea", "Kim likes green tea"))
        health = await memory.health()
        assert (await memory.count(), health.backend, health.ok) == (0, "none", True)
