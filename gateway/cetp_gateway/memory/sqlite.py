"""The memory in the gateway's database. Implements Memory.

Above: `opening`. Below: units of work (storing, forgetting, searching), storage. The snapshot and the care of old
entries are the keeper's.
"""

import asyncio
import builtins
import sqlite3
from array import array
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import TypeVar

from cetp_gateway.api import CORE, MemoryAuthor, MemoryEntry, MemoryFilter, MemoryHealth, MemoryPage
from cetp_gateway.errors import StorageError
from cetp_gateway.memory.checks import checked
from cetp_gateway.memory.forgetting import forget
from cetp_gateway.memory.full_text import FullText, Scope
from cetp_gateway.memory.fusion import best, fused
from cetp_gateway.memory.health import health_of
from cetp_gateway.memory.likeness import rests_on
from cetp_gateway.memory.meaning import Meaning
from cetp_gateway.memory.rows import Kept, by_numbers, find, kept
from cetp_gateway.memory.snapshot import Snapshot, mark_due
from cetp_gateway.memory.storing import keep
from cetp_gateway.memory.transfer import export, restore
from cetp_gateway.settings.memory import MemorySettings
from cetp_gateway.storage import Database

T = TypeVar("T")

Said = Callable[[str], Awaitable[str]]
"""What a person has said in a session."""

_ALL = 1_000_000


async def nothing_said(session_id: str) -> str:  # noqa: ARG001
    """For a memory without sessions: then no model's entry becomes core."""
    return ""


class SqliteMemory:
    """One object per database; see `open`.

    Args:
        meaning: None searches by words alone.
        said: asked before a model's entry becomes core.
        clock: the time in UTC.
    """

    def __init__(
        self,
        database: Database,
        snapshot: Snapshot,
        settings: MemorySettings,
        *,
        meaning: Meaning | None = None,
        said: Said = nothing_said,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.database = database
        self.index = FullText()
        self.snapshot = snapshot
        self.clock = clock
        self.meaning = meaning
        self.changed = asyncio.Event()
        """Set when entries have no vector yet; the keeper clears it."""
        self._settings = settings
        self._said = said

    async def prepare(self) -> None:
        """Make or mend the index; raises StorageError when this SQLite has none (FTS5)."""
        await self.database.write(self.index.prepare)

    async def store(self, entry: MemoryEntry) -> MemoryEntry:
        """See Memory."""
        entry = checked(entry, content_chars=self._settings.content_chars)
        vouched = await self._is_vouched_for(entry)

        def work(connection: sqlite3.Connection) -> Kept:
            stored = keep(connection, self.index, entry, vouched=vouched, now=self.clock())
            if stored.entry.category == CORE:
                mark_due(connection)
            return stored

        stored = await self._healing(self.database.write, work)
        self.changed.set()
        return stored.shown

    async def _is_vouched_for(self, entry: MemoryEntry) -> bool:
        match entry.source.author:
            case MemoryAuthor.PERSON:
                return True
            case MemoryAuthor.TOOL:
                return False
            case MemoryAuthor.MODEL:
                return bool(entry.session_id) and rests_on(entry.content, await self._said(entry.session_id))

    async def recall(
        self, query: str, *, limit: int = 10, namespace: str = "default", category: str = "", session_id: str = ""
    ) -> Sequence[MemoryEntry]:
        """See Memory."""
        scope = Scope(namespace=namespace, category=category, session_id=session_id)
        vector = await self.meaning.vector_of(query) if self.meaning else None

        def work(connection: sqlite3.Connection) -> builtins.list[MemoryEntry]:
            scores = self._scores(connection, query, vector, scope, 2 * limit)
            return best(by_numbers(connection, scores), scores, limit)

        return await self._healing(self.database.read, work)

    def _scores(
        self, connection: sqlite3.Connection, query: str, vector: "array[float] | None", scope: Scope, limit: int
    ) -> dict[int, float]:
        if self.meaning is None or vector is None:
            return self.index.search(connection, query, scope, limit)
        by_meaning = self.meaning.nearest.search(connection, vector, scope, limit)
        if self._settings.search_mode == "embedding":
            return by_meaning
        return fused(
            self.index.search(connection, query, scope, limit),
            by_meaning,
            word_weight=self._settings.keyword_weight,
            meaning_weight=self._settings.vector_weight,
        )

    async def get(self, key: str, *, namespace: str = "default") -> MemoryEntry | None:
        """See Memory."""
        found = await self.database.read(lambda connection: find(connection, namespace, key))
        return found.shown if found else None

    async def list(
        self, *, category: str = "", namespace: str = "default", session_id: str = "", limit: int | None = None
    ) -> Sequence[MemoryEntry]:
        """See Memory."""
        scope = Scope(namespace=namespace, category=category, session_id=session_id)
        statement = f"SELECT * FROM memories AS m WHERE {scope.condition} ORDER BY updated_at DESC, id DESC LIMIT ?"  # noqa: S608
        values = (*scope.values, _ALL if limit is None else limit)
        return await self.database.read(
            lambda connection: [kept(row).shown for row in connection.execute(statement, values)]
        )

    async def forget(self, key: str, *, namespace: str = "default") -> bool:
        """See Memory. When this returns, the entry is in no file of the data folder."""

        def work(connection: sqlite3.Connection) -> bool:
            found = find(connection, namespace, key)
            if found is None:
                return False
            if self.meaning:
                self.meaning.nearest.discard(found.id)
            forget(connection, self.index, [found])
            self.index.erase(connection)
            mark_due(connection)
            return True

        gone = await self._healing(self.database.write, work)
        if gone:
            await self.snapshot.write_if_due(self.database)
            await self.database.scrub()
        return gone

    async def count(self, *, namespace: str = "", category: str = "") -> int:
        """See Memory."""
        statement = "SELECT count(*) FROM memories WHERE ? IN ('', namespace) AND ? IN ('', category)"
        return await self.database.read(
            lambda connection: int(connection.execute(statement, (namespace, category)).fetchone()[0])
        )

    async def health(self) -> MemoryHealth:
        """See Memory."""
        try:
            count = await self.count()
        except StorageError as error:
            return MemoryHealth(backend="sqlite", ok=False, detail=error.message)
        return health_of(count, self._settings, self.meaning)

    async def export(self, wanted: MemoryFilter, *, after: int = 0, limit: int = 1000) -> MemoryPage:
        """See Memory."""
        return await self.database.read(lambda connection: export(connection, wanted, after=after, limit=limit))

    async def restore(self, entries: Sequence[MemoryEntry]) -> int:
        """See Memory."""
        fit = [checked(entry, content_chars=self._settings.content_chars) for entry in entries]

        def work(connection: sqlite3.Connection) -> int:
            restore(connection, self.index, fit, now=self.clock())
            mark_due(connection)
            return len(fit)

        taken = await self._healing(self.database.write, work)
        self.changed.set()
        return taken

    async def _healing(
        self,
        run: Callable[[Callable[[sqlite3.Connection], T]], Awaitable[T]],
        work: Callable[[sqlite3.Connection], T],
    ) -> T:
        """Run a unit of work that uses the index. A damaged index is made anew, once; nothing is lost with it."""
        try:
            return await run(work)
        except StorageError as error:
            if not _is_damage(error.__cause__):
                raise
        await self.database.write(self.index.rebuild)
        return await run(work)


def _is_damage(error: BaseException | None) -> bool:
    """Of the index: it does not hold together, breaks a rule of its own tables (which has no name then), or is gone."""
    return (
        type(error) is sqlite3.DatabaseError
        or (isinstance(error, sqlite3.IntegrityError) and str(error) == "constraint failed")
        or (isinstance(error, sqlite3.OperationalError) and "memory_index" in str(error))
    )
