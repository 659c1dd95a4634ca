"""How entries go: with their words in the index, their vectors, and the marks they have left on others.

Units of work of the database. What SQLite has only marked as free is overwritten (`secure_delete`); the last traces
in its log go with `Database.scrub`.
"""

import sqlite3
from collections.abc import Sequence

from cetp_gateway.memory.full_text import FullText
from cetp_gateway.memory.rows import Kept


def forget(connection: sqlite3.Connection, index: FullText, gone: Sequence[Kept]) -> None:
    """Remove rows that are there. Afterwards `FullText.erase` is due: the index still holds their words, unfindable."""
    for each in gone:
        index.remove(connection, each.id, each.entry)
        # What it had superseded counts again.
        connection.execute(
            "UPDATE memories SET superseded_by = '' WHERE namespace = ? AND superseded_by = ?",
            (each.entry.namespace, each.entry.key),
        )
    connection.executemany("DELETE FROM memories WHERE id = ?", [(each.id,) for each in gone])
