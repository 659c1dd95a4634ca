"""The memory when things go wrong: killed processes, damaged indexes, no SQLite to be had, many writers."""

import asyncio
import random
import sqlite3
import sys
from pathlib import Path

import pytest

from cetp_gateway.assemble import assemble
from cetp_gateway.memory import NoMemory
from cetp_gateway.settings import Settings
from cetp_gateway.testing import ScriptedModel
from support.memories import entry, keys, remembering
from support.whole import rest, whole

TESTS = Path(__file__).parents[1]


async def acknowledged(folder: Path, *, first: int, lines: int) -> list[str]:
    """Run a process that stores and forgets, kill it when it has said so many lines; all it said."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "support.acknowledging", str(folder), str(first)),
        cwd=TESTS,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(30):
            said = [await process.stdout.readline() for _ in range(lines)]
    finally:
        process.kill()
        late, _ = await process.communicate()
    return (b"".join(said) + late[: late.rfind(b"\n") + 1]).decode().split()


async def test_nothing_acknowledged_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    chance = random.Random(5)
    kept: set[str] = set()
    gone: set[str] = set()
    for run in range(4):
        said = await acknowledged(tmp_path, first=1000 * run, lines=chance.randrange(3, 60))
        forgotten = {name[1:] for name in said if name.startswith("-")}
        gone |= forgotten
        # Every entry whose number is 1 over a multiple of 7 may be gone without having said so.
        kept |= {name for name in said if name[0] == "k" and int(name[1:]) % 7 != 1}
    async with remembering(tmp_path) as memory:
        there = {each.key for each in await memory.list()}
        assert kept <= there
        assert not gone & there
        for name in sorted(kept)[-5:]:
            assert await keys(memory, f"number{name[1:]}") == [name]
    connection = sqlite3.connect(tmp_path / "cetp.db")
    assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    connection.close()


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM memory_index_data",
        "DROP TABLE memory_index",
        "UPDATE memory_index_data SET block = x'00'",
        "UPDATE memory_state SET value = '0' WHERE name = 'index'",
    ],
)
async def test_a_damaged_missing_or_outdated_index_is_made_anew_at_the_start(tmp_path: Path, damage: str) -> None:
    async with remembering(tmp_path) as memory:
        await memory.store(entry("tea", "Kim likes green tea"))
    connection = sqlite3.connect(tmp_path / "cetp.db", isolation_level=None)
    connection.execute(damage)
    connection.close()
    async with remembering(tmp_path) as memory:
        assert await keys(memory, "green tea") == ["tea"]


@pytest.mark.parametrize("damage", ["DELETE FROM memory_index_data", "UPDATE memory_index_data SET block = x'00'"])
async def test_an_index_that_is_damaged_meanwhile_costs_no_memory(tmp_path: Path, damage: str) -> None:
    async with remembering(tmp_path) as memory:
        await memory.store(entry("tea", "Kim likes green tea"))
        other = sqlite3.connect(tmp_path / "cetp.db", isolation_level=None)
        other.execute(damage)
        other.close()
        await memory.store(entry("bike", "The bike stands in the cellar"))
        assert await keys(memory, "green tea") == ["tea"]
        assert await keys(memory, "bike") == ["bike"]


def make_unusable(folder: Path) -> None:
    connection = sqlite3.connect(folder / "cetp.db", isolation_level=None)
    connection.execute("DROP TABLE memory_index")
    connection.execute("CREATE VIEW memory_index AS SELECT 1 AS text")
    connection.close()


@pytest.mark.requirement("runtime.memory.degrades")
async def test_without_a_usable_database_the_memory_that_keeps_nothing_takes_over_and_says_so(tmp_path: Path) -> None:
    async with remembering(tmp_path) as memory:
        await memory.store(entry("tea", "Kim likes green tea"))
    make_unusable(tmp_path)
    async with whole(tmp_path) as running, rest(running) as http:
        assert isinstance(running.runtime.memory, NoMemory)
        health = (await http.get("/api/health")).json()
        assert (health["status"], health["memory"]["backend"], health["memory"]["ok"]) == ("degraded", "none", False)
        assert "nothing lasts" in health["memory"]["detail"].lower()
        assert (await http.get("/api/status")).json()["memory"]["backend"] == "none"


async def test_an_assembled_runtime_has_a_memory_that_lasts(tmp_path: Path) -> None:
    for _ in range(2):
        async with assemble(
            Settings(), data_folder=tmp_path, config_file=tmp_path / "cetp.toml", model=ScriptedModel([])
        ) as runtime:
            await runtime.memory.store(entry("tea", "Kim likes green tea"))
            assert (await runtime.memory.count(), (await runtime.memory.health()).backend) == (1, "sqlite")
    assert "green tea" in (tmp_path / "MEMORY_SNAPSHOT.md").read_text()


async def test_two_processes_worth_of_writers_lose_nothing(tmp_path: Path) -> None:
    """Store reads before it writes; from two connections at once that must neither fail nor lose an entry."""
    async with remembering(tmp_path) as one, remembering(tmp_path) as other:
        async with asyncio.TaskGroup() as group:
            for number in range(40):
                memory = one if number % 2 else other
                group.create_task(memory.store(entry(f"k{number}", f"note number{number}", category="notes")))
        assert (await one.count(), await other.count()) == (40, 40)
