"""Export by filter and import."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from cetp_gateway.api import Memory, MemoryFilter
from cetp_gateway.errors import MemoryRefused
from support.memories import START, TOOL, entry, keys, remembering


async def fill(memory: Memory) -> None:
    await memory.restore(
        [
            entry("a", "soup with leek", session_id="s1"),
            entry("b", "soup with beans", category="daily", created_at=START + timedelta(days=1), source=TOOL),
            entry("c", "soup with kale", namespace="kim", created_at=START + timedelta(days=2)),
        ]
    )


@pytest.mark.requirement("runtime.memory.export")
@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, ["a", "b", "c"]),
        ({"namespace": "kim"}, ["c"]),
        ({"session_id": "s1"}, ["a"]),
        ({"category": "daily"}, ["b"]),
        ({"since": START + timedelta(days=1)}, ["b", "c"]),
        ({"until": START + timedelta(days=1)}, ["a"]),
        ({"since": START + timedelta(hours=1), "until": START + timedelta(days=2)}, ["b"]),
        ({"namespace": "default", "category": "core"}, ["a"]),
    ],
)
async def test_export_by_namespace_session_category_and_time(
    tmp_path: Path, wanted: dict[str, Any], found: list[str]
) -> None:
    async with remembering(tmp_path) as memory:
        await fill(memory)
        page = await memory.export(MemoryFilter(**wanted))
        assert [each.key for each in page.entries] == found


async def test_a_long_export_comes_in_pieces_without_gap_or_repetition(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        await memory.restore([entry(f"k{number}", f"number {number}") for number in range(7)])
        seen: list[str] = []
        after: int | None = 0
        while after is not None:
            page = await memory.export(MemoryFilter(), after=after, limit=3)
            seen += [each.key for each in page.entries]
            after = page.next
        assert seen == [f"k{number}" for number in range(7)]


async def test_what_was_exported_is_the_same_in_another_memory(tmp_path: Path) -> None:
    async with remembering(tmp_path / "one") as memory:
        await fill(memory)
        await memory.store(entry("home", "Kim lives in Berlin"))
        await memory.store(entry("moved", "Kim lives in Munich"))
        page = await memory.export(MemoryFilter())
    async with remembering(tmp_path / "two") as memory:
        assert await memory.restore(page.entries) == 5
        assert (await memory.export(MemoryFilter())).entries == page.entries
        assert await keys(memory, "kale", namespace="kim") == ["c"]
        # Once more changes nothing.
        await memory.restore(page.entries)
        assert await memory.count() == 5


async def test_an_import_with_one_bad_entry_takes_nothing_in(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        with pytest.raises(MemoryRefused, match="category"):
            await memory.restore([entry("good", "text"), entry("bad", "text", category="")])
        assert await memory.count() == 0
