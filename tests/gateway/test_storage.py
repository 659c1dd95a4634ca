"""The database: units of work, migrations, and what a user is told when the folder cannot be used."""

import asyncio
import sqlite3
import stat
from pathlib import Path

import pytest

from cetp_gateway.errors import StorageError
from cetp_gateway.storage import Database

TABLE = ("CREATE TABLE notes (text TEXT NOT NULL) STRICT;",)


def texts(connection: sqlite3.Connection) -> list[str]:
    return [row["text"] for row in connection.execute("SELECT text FROM notes ORDER BY rowid")]


async def test_what_was_written_is_there_after_a_restart(tmp_path: Path) -> None:
    first = await Database.open(tmp_path, TABLE)
    await first.write(lambda connection: connection.execute("INSERT INTO notes VALUES ('kept')"))
    await first.close()
    second = await Database.open(tmp_path, TABLE)
    assert await second.read(texts) == ["kept"]
    await second.close()


async def test_a_unit_of_work_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    database = await Database.open(tmp_path, TABLE)

    def half(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO notes VALUES ('half')")
        raise ValueError("stopped")

    with pytest.raises(ValueError, match="stopped"):
        await database.write(half)
    assert await database.read(texts) == []
    await database.close()


async def test_readers_that_write_later_never_lose_against_another_process(tmp_path: Path) -> None:
    """Read-then-write from two connections at once: no "database is locked", no lost update."""
    first, second = await Database.open(tmp_path, TABLE), await Database.open(tmp_path, TABLE)

    def append_next(connection: sqlite3.Connection) -> None:
        count = connection.execute("SELECT count(*) FROM notes").fetchone()[0]
        connection.execute("INSERT INTO notes VALUES (?)", (f"note {count}",))

    async with asyncio.TaskGroup() as group:
        for number in range(40):
            group.create_task((first if number % 2 else second).write(append_next))
    assert await first.read(texts) == [f"note {number}" for number in range(40)]
    await first.close()
    await second.close()


async def test_a_caller_that_gives_up_does_not_stop_its_transaction(tmp_path: Path) -> None:
    database = await Database.open(tmp_path, TABLE)
    writing = asyncio.create_task(database.write(lambda c: c.execute("INSERT INTO notes VALUES ('whole')")))
    await asyncio.sleep(0)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert await database.read(texts) == ["whole"]
    await database.close()


async def test_the_data_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    await (await Database.open(folder, TABLE)).close()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "cetp.db").stat().st_mode) == 0o600


async def test_a_new_version_brings_an_old_file_up_to_date(tmp_path: Path) -> None:
    old = await Database.open(tmp_path, TABLE)
    await old.write(lambda connection: connection.execute("INSERT INTO notes VALUES ('old')"))
    await old.close()
    new = await Database.open(tmp_path, (*TABLE, "ALTER TABLE notes ADD COLUMN colour TEXT NOT NULL DEFAULT 'red';"))
    assert await new.read(lambda c: c.execute("SELECT colour FROM notes").fetchone()[0]) == "red"
    await new.close()


async def test_a_file_of_a_newer_version_is_refused_with_the_way_out(tmp_path: Path) -> None:
    await (await Database.open(tmp_path, (*TABLE, "CREATE TABLE more (x TEXT) STRICT;"))).close()
    with pytest.raises(StorageError, match=r"version 2, this program knows 1.*another data folder"):
        await Database.open(tmp_path, TABLE)


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError, match="--data"):
        await Database.open(tmp_path / "file" / "data", TABLE)
