"""Opens the memory that the settings ask for, and looks after it for the length of a block.

Above: `assemble`. When the database cannot carry a memory, the one that keeps nothing stands in, and says why.
"""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cetp_gateway.api import CORE, Memory
from cetp_gateway.errors import MemoryRefused, StorageError
from cetp_gateway.memory.checks import checked
from cetp_gateway.memory.embeddings import Embedder, create_embedder
from cetp_gateway.memory.keeper import Keeper
from cetp_gateway.memory.meaning import Meaning
from cetp_gateway.memory.none import NoMemory
from cetp_gateway.memory.rows import find
from cetp_gateway.memory.snapshot import FILE_NAME, Snapshot
from cetp_gateway.memory.sqlite import Said, SqliteMemory, nothing_said
from cetp_gateway.memory.transfer import restore
from cetp_gateway.memory.vectors import NearestVectors
from cetp_gateway.settings.memory import MemorySettings
from cetp_gateway.storage import Database

_BORN: Final = "born"
"""In `memory_state` from the first start on: a database without it is new."""

_QUERY_WAIT_S: Final = 3.0

_log = logging.getLogger(__name__)


def utc_now() -> datetime:
    return datetime.now(UTC)


@asynccontextmanager
async def open_memory(
    settings: MemorySettings,
    database: Database,
    data_folder: Path,
    *,
    embedder: Embedder | None = None,
    said: Said = nothing_said,
    clock: Callable[[], datetime] = utc_now,
) -> AsyncIterator[Memory]:
    """The memory; its care ends with the block.

    Args:
        settings: which memory, and how long what is kept.
        database: the gateway's own.
        data_folder: where the snapshot lies.
        embedder: in place of the one that the settings ask for; closed at the end.
        said: what a person has said in a session; asked before a model's entry becomes core.
        clock: the time in UTC.

    Raises:
        SettingsError: a package for embeddings is missing.
    """
    if settings.backend == "none":
        yield NoMemory()
        return
    snapshot = Snapshot(data_folder / FILE_NAME if settings.snapshot else None)
    embedder = embedder or create_embedder(settings)
    wanted = embedder if settings.search_mode != "bm25" else None
    meaning = Meaning(wanted, NearestVectors(), query_wait_s=_QUERY_WAIT_S) if wanted else None
    memory = SqliteMemory(database, snapshot, settings, meaning=meaning, said=said, clock=clock)
    try:
        await memory.prepare()
        await _fill_when_new(memory, settings)
    except StorageError as error:
        _log.error("there is no memory: %s", error)
        yield NoMemory(error.message)
        return
    keeper = Keeper(memory, settings)
    keeping = asyncio.create_task(keeper.run())
    try:
        yield memory
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        await keeper.round()
        if embedder is not None:
            await embedder.aclose()


async def _fill_when_new(memory: SqliteMemory, settings: MemorySettings) -> None:
    """A database that has never had a memory takes the core entries of the snapshot, if there is one."""
    if await memory.database.read(_is_born):
        return
    entries = []
    for entry in await memory.snapshot.read():
        try:
            entries.append(checked(entry, content_chars=settings.content_chars))
        except MemoryRefused as refusal:
            _log.warning("%s: the entry %r is left out: %s", FILE_NAME, entry.key[:60], refusal)

    def work(connection: sqlite3.Connection) -> int:
        core = [
            entry
            for entry in entries
            if entry.category == CORE and find(connection, entry.namespace, entry.key) is None
        ]
        restore(connection, memory.index, core, now=memory.clock())
        connection.execute("INSERT OR REPLACE INTO memory_state VALUES (?, '1')", (_BORN,))
        return len(core)

    if count := await memory.database.write(work):
        _log.warning("the database was new: %d memories came back from %s", count, FILE_NAME)


def _is_born(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM memory_state WHERE name = ?", (_BORN,)).fetchone() is not None
