"""The audit trail in the database: stretches are added at its end, read in order, and removed at its beginning only.

Units of work for `storage.Database`. Above: `audit_log`, `audit_reader`. Below: `audit_chain`.
"""

import sqlite3
import time
from collections.abc import Iterator
from typing import Final

from cetp_gateway.policy.audit_batch import Batch
from cetp_gateway.policy.audit_chain import FIRST_SEAL, Stretch, seal_of
from cetp_gateway.policy.audit_entry import AuditEntry, moment

DAY_S: Final = 86_400.0

_LAST = "SELECT through, seal FROM audit ORDER BY through DESC LIMIT 1"
_ADD = "INSERT INTO audit (through, entries, at, lines, seal) VALUES (?, ?, ?, ?, ?)"
_STRETCHES = "SELECT through, lines, seal FROM audit"


def add(connection: sqlite3.Connection, batch: Batch) -> None:
    """Add a batch as one stretch, sealed."""
    last = connection.execute(_LAST).fetchone()
    before, number = (bytes(last["seal"]), last["through"]) if last else (FIRST_SEAL, 0)
    lines = batch.text()
    through = number + len(batch.entries)
    seal = seal_of(before, through, lines)
    connection.execute(_ADD, (through, len(batch.entries), time.time(), lines, seal))


def stretches(connection: sqlite3.Connection, *, after: int = 0, limit: int) -> list[Stretch]:
    """Stretches that end behind entry `after`, in order."""
    rows = connection.execute(f"{_STRETCHES} WHERE through > ? ORDER BY through LIMIT ?", (after, limit))
    return [_stretch(row) for row in rows]


def backwards(connection: sqlite3.Connection) -> Iterator[Stretch]:
    """All stretches, the latest first, read as far as they are wanted."""
    return map(_stretch, connection.execute(f"{_STRETCHES} ORDER BY through DESC"))


def prune(connection: sqlite3.Connection, *, before: float) -> int:
    """Remove whole stretches written before a time (seconds since the epoch), and say so in the trail; how many
    entries went. The latest stretch always stays.
    """
    kept = connection.execute("SELECT min(through) FROM audit WHERE at >= ?", (before,)).fetchone()[0]
    bound = kept if kept is not None else connection.execute("SELECT max(through) FROM audit").fetchone()[0]
    end = connection.execute(
        "SELECT through, seal FROM audit WHERE through < ? ORDER BY through DESC LIMIT 1", (bound,)
    ).fetchone()
    if end is None:
        return 0
    through: int = end["through"]
    connection.execute("UPDATE audit_pruned SET through = ?", (through,))
    removed = connection.execute("SELECT sum(entries) FROM audit WHERE through <= ?", (through,)).fetchone()[0]
    connection.execute("DELETE FROM audit WHERE through <= ?", (through,))
    told = AuditEntry(
        at=moment(time.time()), kind="pruned", through=through, seal=bytes(end["seal"]).hex(), count=removed
    )
    add(connection, Batch([told]))
    return int(removed)


def _stretch(row: sqlite3.Row) -> Stretch:
    return Stretch(through=row["through"], lines=row["lines"], seal=bytes(row["seal"]))
