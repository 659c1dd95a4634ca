"""Entries as rows of the table `memories`. Functions of a connection, for units of work."""

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from cetp_gateway.api import MemoryAuthor, MemoryEntry, MemorySource
from cetp_gateway.memory.checks import marked
from cetp_gateway.memory.words import ordered_words

_FIELDS = (
    "namespace, key, content, category, session_id, importance, created_at, updated_at, author, tool, person, "
    "superseded_by, fingerprint"
)


class Kept(msgspec.Struct, frozen=True):
    """An entry and the number of its row. Its content is without the mark of superseded ones."""

    id: int
    entry: MemoryEntry

    @property
    def shown(self) -> MemoryEntry:
        """As readers see it."""
        entry = self.entry
        return msgspec.structs.replace(entry, content=marked(entry.content, entry.superseded_by))


def insert(connection: sqlite3.Connection, entry: MemoryEntry) -> int:
    """Add a row; its number."""
    statement = f"INSERT INTO memories ({_FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
    number = connection.execute(statement, _values(entry)).lastrowid
    assert number is not None  # noqa: S101  (what sqlite3 gives after an INSERT)
    return number


def update(connection: sqlite3.Connection, number: int, entry: MemoryEntry) -> None:
    """Replace all fields of a row."""
    marks = ", ".join("?" * len(_FIELDS.split(",")))
    connection.execute(
        f"UPDATE memories SET ({_FIELDS}) = ({marks}) WHERE id = ?",  # noqa: S608
        (*_values(entry), number),
    )


def find(connection: sqlite3.Connection, namespace: str, key: str) -> Kept | None:
    row = connection.execute("SELECT * FROM memories WHERE namespace = ? AND key = ?", (namespace, key)).fetchone()
    return None if row is None else kept(row)


def by_numbers(connection: sqlite3.Connection, numbers: Iterable[int]) -> dict[int, Kept]:
    """Rows by their numbers; those that are gone are left out."""
    wanted = list(numbers)
    marks = ", ".join("?" * len(wanted))
    rows = connection.execute(f"SELECT * FROM memories WHERE id IN ({marks})", wanted)  # noqa: S608
    return {row["id"]: kept(row) for row in rows}


def fingerprint(content: str) -> bytes:
    """The same for texts that differ in case, width and punctuation only."""
    return hashlib.blake2b("\n".join(ordered_words(content)).encode(), digest_size=8).digest()


def stamp(time: datetime) -> str:
    """A time in UTC as text that sorts; see `checks.in_utc`."""
    return time.isoformat(timespec="microseconds")


def kept(row: sqlite3.Row) -> Kept:
    """A row of `SELECT *`."""
    entry = MemoryEntry(
        key=row["key"],
        content=row["content"],
        category=row["category"],
        namespace=row["namespace"],
        session_id=row["session_id"],
        importance=row["importance"],
        created_at=datetime.fromisoformat(row["created_at"]),
        updated_at=datetime.fromisoformat(row["updated_at"]),
        source=MemorySource(author=MemoryAuthor(row["author"]), tool=row["tool"], person=row["person"]),
        superseded_by=row["superseded_by"],
    )
    return Kept(row["id"], entry)


def _values(entry: MemoryEntry) -> Sequence[object]:
    return (
        entry.namespace,
        entry.key,
        entry.content,
        entry.category,
        entry.session_id,
        entry.importance,
        stamp(entry.created_at),
        stamp(entry.updated_at or entry.created_at),
        entry.source.author,
        entry.source.tool,
        entry.source.person,
        entry.superseded_by,
        fingerprint(entry.content),
    )
