"""The audit trail for people and programs: page by page, filtered, whole.

Above: the server's routes, the command line. Below: `audit_store`.
"""

import sqlite3

import msgspec

from cetp_gateway.policy.audit_chain import Stretch
from cetp_gateway.policy.audit_entry import AuditEntry
from cetp_gateway.policy.audit_log import AuditLog
from cetp_gateway.policy.audit_store import backwards, stretches
from cetp_gateway.storage import Database

_decode = msgspec.json.Decoder(AuditEntry).decode


class NumberedEntry(msgspec.Struct, frozen=True):
    """An entry and its place in the trail."""

    number: int
    entry: AuditEntry


class AuditReader:
    """Reads what is on disk, after what waits has been written there."""

    def __init__(self, database: Database, log: AuditLog) -> None:
        self._database = database
        self._log = log

    async def latest(self, limit: int, *, session: str = "", tool: str = "") -> list[NumberedEntry]:
        """The last entries that fit, oldest first. Raises StorageError."""
        await self._log.flush()

        def work(connection: sqlite3.Connection) -> list[NumberedEntry]:
            found: list[NumberedEntry] = []
            for stretch in backwards(connection):
                entries = reversed(numbered_entries(stretch))
                found += [numbered for numbered in entries if _fits(numbered.entry, session, tool)]
                if len(found) >= limit:
                    break
            return found[:limit][::-1]

        return await self._database.read(work)

    async def after(
        self, number: int, limit: int, *, session: str = "", tool: str = ""
    ) -> tuple[list[NumberedEntry], int]:
        """Entries behind this number, oldest first, of at most `limit` stretches, and the number to go on after. Raises
        StorageError.
        """
        pages = await self.stretches(number, limit)
        found = [
            numbered
            for stretch in pages
            for numbered in numbered_entries(stretch)
            if numbered.number > number and _fits(numbered.entry, session, tool)
        ]
        return found, pages[-1].through if pages else number

    async def stretches(self, after: int, limit: int) -> list[Stretch]:
        """Sealed stretches that end behind this number, for those who check them. Raises StorageError."""
        await self._log.flush()
        return await self._database.read(lambda connection: stretches(connection, after=after, limit=limit))


def numbered_entries(stretch: Stretch) -> list[NumberedEntry]:
    """The entries of a stretch; one that cannot be read is left out, `verify` tells of it."""
    entries = []
    for number, line in enumerate(stretch.lines.split("\n"), stretch.first):
        try:
            entries.append(NumberedEntry(number, _decode(line)))
        except msgspec.DecodeError:
            continue
    return entries


def _fits(entry: AuditEntry, session: str, tool: str) -> bool:
    return (not session or entry.session == session) and (not tool or entry.tool == tool)
