"""The index over the words of all entries: SQLite's FTS5, kept without the texts themselves.

It can be made anew from the table at any time, so a missing, damaged or outdated index costs seconds and no
memory. Used from the database's worker alone.
"""

import sqlite3
from collections.abc import Sequence
from typing import Final

import msgspec

from cetp_gateway.api import MemoryEntry
from cetp_gateway.memory.words import INDEX_VERSION, indexed, phrases

_CREATE: Final = """
    CREATE VIRTUAL TABLE memory_index
    USING fts5(text, content = '', tokenize = "porter unicode61 remove_diacritics 2")
"""
COMMON: Final = 1000
"""A word that so many entries have tells little and costs much: it does not take part in ranking."""
_REMEMBERED_COUNTS: Final = 4096
_SAMPLED: Final = 6
_SHARED: Final = 3
_NEWEST_SCORE: Final = 0.05
"""Of hits that were not ranked."""


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """Where to look; empty values let all pass."""

    namespace: str
    category: str = ""
    session_id: str = ""

    @property
    def condition(self) -> str:
        """SQL over `memories AS m`; takes `values`."""
        return "m.namespace = ? AND ? IN ('', m.category) AND ? IN ('', m.session_id)"

    @property
    def values(self) -> tuple[str, str, str]:
        return (self.namespace, self.category, self.session_id)


def text_of(entry: MemoryEntry) -> str:
    """What of an entry can be found."""
    return f"{entry.key}\n{entry.content}"


class FullText:
    """One object per database."""

    def __init__(self) -> None:
        self._common: dict[tuple[str, str], bool] = {}

    def prepare(self, connection: sqlite3.Connection) -> None:
        """Make the index, or make it anew when it is not of this version or does not hold together."""
        version = connection.execute("SELECT value FROM memory_state WHERE name = 'index'").fetchone()
        if version is None or version[0] != str(INDEX_VERSION) or not _is_sound(connection):
            self.rebuild(connection)

    def rebuild(self, connection: sqlite3.Connection) -> None:
        """Make the index anew from the table."""
        _drop(connection)
        connection.execute(_CREATE)
        rows = connection.execute("SELECT id, key, content FROM memories")
        connection.executemany(
            "INSERT INTO memory_index (rowid, text) VALUES (?, ?)",
            ((row["id"], indexed(f"{row['key']}\n{row['content']}")) for row in rows),
        )
        connection.execute("INSERT OR REPLACE INTO memory_state VALUES ('index', ?)", (str(INDEX_VERSION),))

    def add(self, connection: sqlite3.Connection, number: int, entry: MemoryEntry) -> None:
        connection.execute("INSERT INTO memory_index (rowid, text) VALUES (?, ?)", (number, indexed(text_of(entry))))

    def remove(self, connection: sqlite3.Connection, number: int, entry: MemoryEntry) -> None:
        """Take an entry's words out; exactly those that `add` was given, or they would stay (FTS5 cannot know)."""
        connection.execute(
            "INSERT INTO memory_index (memory_index, rowid, text) VALUES ('delete', ?, ?)",
            (number, indexed(text_of(entry))),
        )

    def erase(self, connection: sqlite3.Connection) -> None:
        """After removals: leave no removed word in the file. Until then they are only marked as gone."""
        connection.execute("INSERT INTO memory_index (memory_index) VALUES ('optimize')")

    def search(self, connection: sqlite3.Connection, query: str, scope: Scope, limit: int) -> dict[int, float]:
        """Numbers of the entries that fit any text best, with a score between 0 and 1."""
        found = phrases(query)
        telling = [phrase for phrase in found if not self._is_common(connection, phrase, scope.namespace)]
        if telling:
            return _ranked(connection, " OR ".join(telling), scope, limit)
        hits = _newest(connection, " AND ".join(found), scope, limit) if found else {}
        if len(found) > 1 and len(hits) < limit:
            hits = _newest(connection, " OR ".join(found), scope, limit) | hits
        return dict(list(hits.items())[:limit])

    def sharing(self, connection: sqlite3.Connection, text: Sequence[str], scope: Scope, *, limit: int) -> list[int]:
        """Numbers of the newest entries that have one of the text's rarest words."""
        # Of a long text some words, evenly spread, stand for all.
        sample = dict.fromkeys(text[:: max(1, -(-len(text) // _SAMPLED))])
        counted = ((_count(connection, phrase, limit=limit), phrase) for phrase in (f'"{word}"' for word in sample))
        rarest = [phrase for count, phrase in sorted(counted) if count][:_SHARED]
        return list(_newest(connection, " OR ".join(rarest), scope, limit)) if rarest else []

    def _is_common(self, connection: sqlite3.Connection, phrase: str, namespace: str) -> bool:
        known = self._common.get((namespace, phrase))
        if known is None:
            if len(self._common) >= _REMEMBERED_COUNTS:
                self._common.clear()
            known = _count_within(connection, phrase, namespace, limit=COMMON) >= COMMON
            self._common[namespace, phrase] = known
        return known


def _drop(connection: sqlite3.Connection) -> None:
    try:
        connection.execute("DROP TABLE IF EXISTS memory_index")
    except sqlite3.DatabaseError:
        # FTS5 does not even drop a table that it cannot open: give it the records of an empty one first.
        for table in ("data", "idx", "docsize"):
            connection.execute(f"DELETE FROM memory_index_{table}")  # noqa: S608  (constant text)
        connection.execute("INSERT INTO memory_index_data VALUES (1, x''), (10, x'00000000000000')")
        connection.execute("DROP TABLE memory_index")


def _ranked(connection: sqlite3.Connection, match: str, scope: Scope, limit: int) -> dict[int, float]:
    rows = connection.execute(
        "SELECT m.id, memory_index.rank FROM memory_index CROSS JOIN memories AS m ON m.id = memory_index.rowid "  # noqa: S608
        f"WHERE memory_index MATCH ? AND {scope.condition} ORDER BY memory_index.rank LIMIT ?",
        (match, *scope.values, limit),
    )
    return {number: -rank / (1 - rank) for number, rank in rows}


def _newest(connection: sqlite3.Connection, match: str, scope: Scope, limit: int) -> dict[int, float]:
    rows = connection.execute(
        "SELECT m.id FROM memory_index CROSS JOIN memories AS m ON m.id = memory_index.rowid "  # noqa: S608
        f"WHERE memory_index MATCH ? AND {scope.condition} ORDER BY memory_index.rowid DESC LIMIT ?",
        (match, *scope.values, limit),
    )
    return {row[0]: _NEWEST_SCORE for row in rows}


def _count(connection: sqlite3.Connection, phrase: str, *, limit: int) -> int:
    """How many entries have a phrase, counted up to the limit."""
    statement = "SELECT count(*) FROM (SELECT 1 FROM memory_index WHERE memory_index MATCH ? LIMIT ?)"
    count: int = connection.execute(statement, (phrase, limit)).fetchone()[0]
    return count


def _count_within(connection: sqlite3.Connection, phrase: str, namespace: str, *, limit: int) -> int:
    statement = (
        "SELECT count(*) FROM (SELECT 1 FROM memory_index CROSS JOIN memories AS m ON m.id = memory_index.rowid "
        "WHERE memory_index MATCH ? AND m.namespace = ? LIMIT ?)"
    )
    count: int = connection.execute(statement, (phrase, namespace, limit)).fetchone()[0]
    return count


def _is_sound(connection: sqlite3.Connection) -> bool:
    """Are the first and the last entry found by their words? Looking at everything would take seconds of each start."""
    try:
        last = connection.execute("SELECT rowid FROM memory_index ORDER BY rowid DESC LIMIT 1").fetchone()
        rows = connection.execute(
            "SELECT id, key, content FROM memories WHERE id IN (SELECT max(id) FROM memories UNION SELECT min(id) "
            "FROM memories) ORDER BY id DESC"
        ).fetchall()
        newest = rows[0]["id"] if rows else None
        return (last[0] if last else None) == newest and all(_is_found(connection, row) for row in rows)
    except sqlite3.DatabaseError:
        return False


def _is_found(connection: sqlite3.Connection, row: sqlite3.Row) -> bool:
    found = phrases(f"{row['key']}\n{row['content']}")
    statement = "SELECT 1 FROM memory_index WHERE memory_index MATCH ? AND rowid = ?"
    return not found or connection.execute(statement, (found[-1], row["id"])).fetchone() is not None
