"""Entries out of the memory and back: export by filter, piece by piece, and import. Units of work of the database."""

import sqlite3
from collections.abc import Iterable
from datetime import datetime

import msgspec

from cetp_gateway.api import MemoryEntry, MemoryFilter, MemoryPage
from cetp_gateway.memory.checks import in_utc
from cetp_gateway.memory.full_text import FullText
from cetp_gateway.memory.rows import find, insert, kept, stamp
from cetp_gateway.memory.storing import rewrite


def export(connection: sqlite3.Connection, wanted: MemoryFilter, *, after: int, limit: int) -> MemoryPage:
    """The next entries in the order in which they came, without the marks that readers see."""
    since = stamp(in_utc(wanted.since)) if wanted.since else ""
    until = stamp(in_utc(wanted.until)) if wanted.until else "~"
    rows = connection.execute(
        "SELECT * FROM memories WHERE id > ? AND ? IN ('', namespace) AND ? IN ('', session_id) "
        "AND ? IN ('', category) AND created_at >= ? AND created_at < ? ORDER BY id LIMIT ?",
        (after, wanted.namespace, wanted.session_id, wanted.category, since, until, limit + 1),
    ).fetchall()
    page = [kept(row) for row in rows[:limit]]
    return MemoryPage([each.entry for each in page], page[-1].id if len(rows) > limit else None)


def restore(connection: sqlite3.Connection, index: FullText, entries: Iterable[MemoryEntry], *, now: datetime) -> None:
    """Take checked entries in as they are: nothing is merged, demoted or marked anew."""
    for entry in entries:
        fresh = msgspec.structs.replace(entry, updated_at=entry.updated_at or now)
        there = find(connection, entry.namespace, entry.key)
        if there is None:
            index.add(connection, insert(connection, fresh), fresh)
        else:
            rewrite(connection, index, there, fresh)
