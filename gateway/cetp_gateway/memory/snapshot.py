"""`MEMORY_SNAPSHOT.md`: all core entries as a text that people can read, and from which a lost database is filled.

    ## key
    <!-- {"namespace": …, "importance": …, …} -->
    > the content, line by line

It is written after changes (`due` stands in the database, so no crash loses it) and at once after forgetting.
"""

import asyncio
import logging
import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from cetp_gateway.api import CORE, MemoryEntry
from cetp_gateway.errors import StorageError
from cetp_gateway.memory.rows import kept
from cetp_gateway.storage import Database

FILE_NAME: Final = "MEMORY_SNAPSHOT.md"
_HEAD: Final = (
    "# What the agent remembers for good\n\n"
    "Made from the database after changes; changes made here are not read while the database is there.\n"
)
_DUE: Final = "snapshot_due"
_MAX_BYTES: Final = 256 * 1024 * 1024

_log = logging.getLogger(__name__)


def mark_due(connection: sqlite3.Connection) -> None:
    """Within a unit of work that has changed core entries: the file no longer says what the database does."""
    connection.execute(
        "INSERT INTO memory_state VALUES (?, '1') ON CONFLICT DO UPDATE SET value = CAST(value + 1 AS TEXT)", (_DUE,)
    )


class Snapshot:
    """The file of one data folder.

    Args:
        path: None keeps no file.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._writing = asyncio.Lock()

    async def write_if_due(self, database: Database) -> bool:
        """Bring the file up to date; False when it was. Raises StorageError, and stays due then."""
        if self._path is None:
            return False
        # Whoever is cancelled leaves a writing thread behind, and the next one must wait for it.
        return await asyncio.shield(asyncio.ensure_future(self._write_if_due(self._path, database)))

    async def _write_if_due(self, path: Path, database: Database) -> bool:
        # One at a time: a slower writer must not bring back what a later one has left out.
        async with self._writing:
            found = await database.read(_due)
            if found is None:
                return False
            changes, entries = found
            await asyncio.to_thread(_write, path, render(entries))
            await database.write(lambda connection: _written(connection, changes))
            return True

    async def read(self) -> list[MemoryEntry]:
        """What the file holds; entries that cannot be read are left out and counted in the log."""
        if self._path is None:
            return []
        return list(parse(await asyncio.to_thread(_read, self._path)))


def render(entries: Iterable[MemoryEntry]) -> str:
    """The file's text."""
    return "\n".join((_HEAD, *map(_section, entries)))


def parse(text: str) -> Iterator[MemoryEntry]:
    """The entries of a file's text."""
    for section in text.split("\n## ")[1:]:
        entry = _read_section(section)
        if entry is None:
            _log.warning("%s: an entry that cannot be read is left out: %.60s", FILE_NAME, section.split("\n")[0])
        else:
            yield entry


def _section(entry: MemoryEntry) -> str:
    fields = msgspec.to_builtins(entry)
    for field in ("key", "content", "score"):
        del fields[field]
    # Nothing in it can end the comment.
    said = msgspec.json.encode(fields).decode().replace(">", "\\u003e")
    quoted = "\n".join(f"> {line}" for line in entry.content.split("\n"))
    return f"## {entry.key}\n<!-- {said} -->\n{quoted}\n"


def _read_section(section: str) -> MemoryEntry | None:
    key, _, rest = section.partition("\n")
    comment, _, quoted = rest.partition("\n")
    lines = [line[2:] if line.startswith("> ") else line[1:] for line in quoted.split("\n") if line.startswith(">")]
    try:
        fields = msgspec.json.decode(comment.removeprefix("<!-- ").removesuffix(" -->"))
        return msgspec.convert({**fields, "key": key, "content": "\n".join(lines)}, MemoryEntry)
    except (msgspec.MsgspecError, TypeError):
        return None


def _due(connection: sqlite3.Connection) -> tuple[str, list[MemoryEntry]] | None:
    """When the file is due: how many changes it lacks, and all core entries."""
    changes = connection.execute("SELECT value FROM memory_state WHERE name = ?", (_DUE,)).fetchone()
    if changes is None:
        return None
    rows = connection.execute("SELECT * FROM memories WHERE category = ? ORDER BY id", (CORE,))
    return changes["value"], [kept(row).entry for row in rows]


def _written(connection: sqlite3.Connection, changes: str) -> None:
    """No longer due, unless there were changes since; a crash before this only means that it is written again."""
    connection.execute("DELETE FROM memory_state WHERE name = ? AND value = ?", (_DUE, changes))


def _write(path: Path, text: str) -> None:
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise StorageError(f"{path.name} cannot be written: {error.strerror}. Check space and permissions.") from error


def _read(path: Path) -> str:
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _MAX_BYTES:
            return ""
        return path.read_text("utf-8", errors="replace")
    except OSError as error:
        raise StorageError(f"{path.name} cannot be read: {error.strerror}. Check its permissions.") from error
