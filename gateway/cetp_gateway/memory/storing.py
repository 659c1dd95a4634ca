"""How an entry is kept: what it replaces, what it says again, what it contradicts, and when it may be core.

A unit of work of the database, so all of it happens or nothing.
"""

import sqlite3
from datetime import datetime
from typing import Final

import msgspec

from cetp_gateway.api import CORE, DAILY, MemoryAuthor, MemoryEntry
from cetp_gateway.errors import MemoryRefused
from cetp_gateway.memory.full_text import FullText, Scope
from cetp_gateway.memory.likeness import contradict, near_duplicates
from cetp_gateway.memory.rows import Kept, by_numbers, find, fingerprint, insert, update
from cetp_gateway.memory.words import ordered_words, words

_COMPARED: Final = 12
"""Entries that are looked at for likeness: the newest that share a rare word."""
_TRUST: Final = {MemoryAuthor.TOOL: 0, MemoryAuthor.MODEL: 1, MemoryAuthor.PERSON: 2}


def keep(connection: sqlite3.Connection, index: FullText, entry: MemoryEntry, *, vouched: bool, now: datetime) -> Kept:
    """Store a checked entry; what is kept now. `vouched` says that it is a person's or rests on a person's own words:
    nothing else becomes core or changes core.

    Raises:
        MemoryRefused: the key belongs to a core entry that this one may not change.
    """
    if entry.category == CORE and not vouched:
        entry = msgspec.structs.replace(entry, category=DAILY)
    entry = msgspec.structs.replace(entry, updated_at=now, superseded_by="")
    there = find(connection, entry.namespace, entry.key)
    if there is not None:
        return _replace(connection, index, there, entry, vouched=vouched)
    text = ordered_words(entry.content)
    alike = _alike(connection, index, entry, text)
    twin = next((number for number, other in alike.items() if near_duplicates(other, text)), None)
    if twin is not None:
        return _merge(connection, index, by_numbers(connection, [twin])[twin], entry)
    number = insert(connection, entry)
    index.add(connection, number, entry)
    if entry.category == CORE:
        _supersede(connection, [number for number, other in alike.items() if contradict(other, text)], entry.key)
    return Kept(number, entry)


def rewrite(connection: sqlite3.Connection, index: FullText, there: Kept, entry: MemoryEntry) -> Kept:
    """Replace a row and its words. Its vector belongs to the old words, so it goes."""
    index.remove(connection, there.id, there.entry)
    update(connection, there.id, entry)
    index.add(connection, there.id, entry)
    if entry.content != there.entry.content or entry.namespace != there.entry.namespace:
        connection.execute("DELETE FROM memory_vectors WHERE id = ?", (there.id,))
    return Kept(there.id, entry)


def _replace(
    connection: sqlite3.Connection, index: FullText, there: Kept, entry: MemoryEntry, *, vouched: bool
) -> Kept:
    if there.entry.category == CORE and not vouched:
        raise MemoryRefused(
            f"key: {entry.key} is a core memory, which only a person or their own words change. Take another key."
        )
    return rewrite(connection, index, there, msgspec.structs.replace(entry, created_at=there.entry.created_at))


def _merge(connection: sqlite3.Connection, index: FullText, there: Kept, entry: MemoryEntry) -> Kept:
    """The older entry stays, with the fuller of the two texts; whoever is trusted less changes nothing of it."""
    if _TRUST[entry.source.author] < _TRUST[there.entry.source.author]:
        return there
    fuller = max(entry.content, there.entry.content, key=lambda content: (len(words(content)), len(content)))
    merged = msgspec.structs.replace(
        there.entry,
        content=fuller,
        importance=max(entry.importance, there.entry.importance),
        updated_at=entry.updated_at,
        source=entry.source,
    )
    return rewrite(connection, index, there, merged)


def _alike(
    connection: sqlite3.Connection, index: FullText, entry: MemoryEntry, text: list[str]
) -> dict[int, list[str]]:
    """Entries of the same kind that may say the same or the opposite, by number, as words."""
    same = connection.execute(
        "SELECT id FROM memories WHERE fingerprint = ? AND namespace = ? AND category = ? LIMIT 1",
        (fingerprint(entry.content), entry.namespace, entry.category),
    ).fetchone()
    if same:
        return {same["id"]: text}
    scope = Scope(namespace=entry.namespace, category=entry.category)
    numbers = index.sharing(connection, text, scope, limit=_COMPARED)
    marks = ", ".join("?" * len(numbers))
    rows = connection.execute(f"SELECT id, content FROM memories WHERE id IN ({marks})", numbers)  # noqa: S608
    return {row["id"]: ordered_words(row["content"]) for row in rows}


def _supersede(connection: sqlite3.Connection, numbers: list[int], key: str) -> None:
    connection.executemany(
        "UPDATE memories SET superseded_by = ? WHERE id = ? AND superseded_by = ''",
        [(key, number) for number in numbers],
    )
