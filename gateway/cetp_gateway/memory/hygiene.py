"""Old daily and conversation entries go, every so many hours. Core entries and the owner's own categories stay.

When it last ran stands in the database, so a gateway that is restarted often still gets to it.
"""

import sqlite3
from datetime import datetime, timedelta
from typing import Final

from cetp_gateway.api import CONVERSATION, DAILY
from cetp_gateway.memory.forgetting import forget
from cetp_gateway.memory.rows import kept, stamp
from cetp_gateway.memory.sqlite import SqliteMemory
from cetp_gateway.settings.memory import MemorySettings

_STATE: Final = "hygiene"
_BATCH: Final = 500
"""Entries that go in one transaction; others of the database get their turn in between."""


async def clean_if_due(memory: SqliteMemory, settings: MemorySettings) -> int:
    """Remove what is too old, when the last time is long enough ago; how many entries went."""
    now = memory.clock()
    last = await memory.database.read(_last)
    if last is not None and now - last < timedelta(hours=settings.hygiene_interval_h):
        return 0
    total = 0
    for category, days in ((DAILY, settings.daily_days), (CONVERSATION, settings.conversation_days)):
        total += await _prune(memory, category, now - timedelta(days=days))
    await memory.database.write(lambda connection: _ran(connection, now))
    if total:
        await memory.database.write(memory.index.erase)
        await memory.database.scrub()
    return total


async def _prune(memory: SqliteMemory, category: str, before: datetime) -> int:
    def work(connection: sqlite3.Connection) -> int:
        rows = connection.execute(
            "SELECT * FROM memories WHERE category = ? AND updated_at < ? LIMIT ?", (category, stamp(before), _BATCH)
        ).fetchall()
        forget(connection, memory.index, [kept(row) for row in rows])
        return len(rows)

    total = 0
    while gone := await memory.database.write(work):
        total += gone
    return total


def _last(connection: sqlite3.Connection) -> datetime | None:
    row = connection.execute("SELECT value FROM memory_state WHERE name = ?", (_STATE,)).fetchone()
    return datetime.fromisoformat(row["value"]) if row else None


def _ran(connection: sqlite3.Connection, now: datetime) -> None:
    connection.execute("INSERT OR REPLACE INTO memory_state VALUES (?, ?)", (_STATE, stamp(now)))
