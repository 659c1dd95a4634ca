"""Forgetting leaves nothing: no hit, no word in the index, no byte in any file of the data folder."""

import sqlite3
from pathlib import Path

from support.memories import Clock, entry, keys, remembering


def vocabulary(folder: Path) -> set[str]:
    """Every word of the index."""
    connection = sqlite3.connect(folder / "cetp.db")
    try:
        connection.execute("CREATE VIRTUAL TABLE temp.v USING fts5vocab('main', 'memory_index', 'row')")
        return {row[0] for row in connection.execute("SELECT term FROM temp.v")}
    finally:
        connection.close()


def files_with(folder: Path, words: str) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if words.encode() in path.read_bytes())


async def test_a_forgotten_entry_is_in_no_file_while_the_gateway_runs(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        await memory.store(entry("kept", "the bike stands in the cellar"))
        await memory.store(entry("pin", "secret zanzibar 4711"))
        assert files_with(tmp_path, "zanzibar")
        await memory.forget("kept")
        # Forgetting one has brought the snapshot up to date, with the other in it.
        assert "MEMORY_SNAPSHOT.md" in files_with(tmp_path, "zanzibar")
        assert await memory.forget("pin")
        assert await keys(memory, "secret zanzibar 4711 pin") == []
        assert files_with(tmp_path, "zanzibar") == []
        assert vocabulary(tmp_path) == set()


async def test_a_replaced_text_is_not_found_any_more(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        await memory.store(entry("pin", "secret zanzibar"))
        await memory.store(entry("pin", "nothing to see"))
        assert await keys(memory, "zanzibar") == []
        await memory.forget("pin")
        assert vocabulary(tmp_path) == set()
        assert files_with(tmp_path, "zanzibar") == []


async def test_the_index_is_sound_after_the_file_was_rewritten(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        for number in range(20):
            await memory.store(entry(f"k{number}", f"word{number} shared"))
        for number in range(0, 20, 2):
            await memory.forget(f"k{number}")
    connection = sqlite3.connect(tmp_path / "cetp.db")
    connection.execute("VACUUM")
    connection.execute("INSERT INTO memory_index (memory_index) VALUES ('integrity-check')")
    connection.close()
    async with remembering(tmp_path) as memory:
        assert await keys(memory, "word6") == []
        assert await keys(memory, "word7") == ["k7"]
        assert len(await memory.recall("shared", limit=50)) == 10


async def test_what_hygiene_removes_is_gone_as_well(tmp_path: Path) -> None:
    clock = Clock()
    async with remembering(tmp_path, clock=clock) as memory:
        await memory.store(entry("old", "visited zanzibar", category="daily"))
        clock.forward(days=31)
    async with remembering(tmp_path, clock=clock) as memory:
        assert await memory.count() == 0
    assert vocabulary(tmp_path) == set()
    assert files_with(tmp_path, "zanzibar") == []
