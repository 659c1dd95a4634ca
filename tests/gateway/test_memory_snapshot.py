"""The snapshot of core entries, and the way back from it when the database is gone."""

import stat
from pathlib import Path

import pytest

from cetp_gateway.memory import Snapshot
from support.memories import PERSON, entry, keys, remembering

FILE = "MEMORY_SNAPSHOT.md"


def lose_database(folder: Path) -> None:
    for path in folder.glob("cetp.db*"):
        path.unlink()


@pytest.mark.requirement("runtime.memory.snapshot")
async def test_core_entries_come_back_when_the_database_is_gone(tmp_path: Path) -> None:
    odd = "two lines\n\n## no heading\n> quoted --> and <!-- markup\n[brackets]"
    async with remembering(tmp_path) as memory:
        await memory.store(entry("tea", "Kim likes green tea", importance=0.9, session_id="s"))
        await memory.store(entry("odd", odd, namespace="kim"))
        await memory.store(entry("home", "Kim lives in Berlin"))
        await memory.store(entry("moved", "Kim lives in Munich"))
        await memory.store(entry("today", "went shopping", category="daily"))
    lose_database(tmp_path)
    async with remembering(tmp_path) as memory:
        tea, there, home = await memory.get("tea"), await memory.get("odd", namespace="kim"), await memory.get("home")
        assert tea is not None
        assert there is not None
        assert home is not None
        assert (tea.content, tea.importance, tea.session_id, tea.source) == ("Kim likes green tea", 0.9, "s", PERSON)
        assert there.content == odd
        assert home.superseded_by == "moved"
        assert await memory.get("today") is None
        assert await keys(memory, "green tea") == ["tea"]


async def test_the_snapshot_is_text_for_people_and_for_its_owner_alone(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        await memory.store(entry("tea", "Kim likes green tea"))
    text = (tmp_path / FILE).read_text()
    assert "## tea\n" in text
    assert "\n> Kim likes green tea\n" in text
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


async def test_an_empty_memory_is_not_filled_from_the_snapshot_again(tmp_path: Path) -> None:
    """Its owner has emptied it; only a database that never had a memory takes the snapshot."""
    async with remembering(tmp_path) as memory:
        await memory.store(entry("tea", "Kim likes green tea"))
    old = (tmp_path / FILE).read_bytes()
    async with remembering(tmp_path) as memory:
        await memory.forget("tea")
    (tmp_path / FILE).write_bytes(old)
    async with remembering(tmp_path) as memory:
        assert await memory.count() == 0


async def test_what_cannot_be_read_costs_only_itself(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        for key in ("one", "two", "three"):
            await memory.store(entry(key, f"the word of {key}"))
    lose_database(tmp_path)
    text = (tmp_path / FILE).read_text()
    (tmp_path / FILE).write_text(
        text.replace('"importance":0.5', '"importance":"much"', 1).replace("## two", "## t/wo")
    )
    async with remembering(tmp_path) as memory:
        assert [each.key for each in await memory.list()] == ["three"]


async def test_a_snapshot_that_cannot_be_read_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / FILE).symlink_to(tmp_path / "elsewhere.md")
    (tmp_path / "elsewhere.md").write_text("# mine\n\n## key\n<!-- {} -->\n> text\n")
    async with remembering(tmp_path) as memory:
        await memory.store(entry("tea", "Kim likes green tea"))
    # Written beside the link's target, which belongs to somebody else.
    assert (tmp_path / "elsewhere.md").read_text().startswith("# mine")
    assert "green tea" in (tmp_path / FILE).read_text()


async def test_without_the_snapshot_nothing_is_written(tmp_path: Path) -> None:
    async with remembering(tmp_path, snapshot=False) as memory:
        await memory.store(entry("tea", "Kim likes green tea"))
        await memory.forget("tea")
        assert await Snapshot(None).read() == []
    assert not (tmp_path / FILE).exists()
