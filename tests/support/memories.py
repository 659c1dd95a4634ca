"""A memory in a folder of its own, and entries for it."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from cetp_gateway.api import Memory, MemoryAuthor, MemoryEntry, MemorySource
from cetp_gateway.memory import open_memory
from cetp_gateway.memory.embeddings import Embedder
from cetp_gateway.settings.memory import MemorySettings
from cetp_gateway.storage import MIGRATIONS, Database

PERSON = MemorySource(author=MemoryAuthor.PERSON, person="Kim's phone")
MODEL = MemorySource(author=MemoryAuthor.MODEL)
TOOL = MemorySource(author=MemoryAuthor.TOOL, tool="notes__search")
START = datetime(2026, 3, 1, 8, 0, tzinfo=UTC)


class Clock:
    """A time that a test moves."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **by: float) -> None:
        self.now += timedelta(**by)


def said(words: str) -> Callable[[str], Any]:
    """What a person has said in the session `s`."""

    async def look(session_id: str) -> str:
        return words if session_id == "s" else ""

    return look


@asynccontextmanager
async def remembering(
    folder: Path, *, words: str = "", clock: Clock | None = None, embedder: Embedder | None = None, **settings: Any
) -> AsyncIterator[Memory]:
    """Open the memory of a folder; `words` is what a person has said in session `s`."""
    database = await Database.open(folder, MIGRATIONS)
    try:
        chosen = msgspec.convert(settings, MemorySettings)
        async with open_memory(
            chosen, database, folder, embedder=embedder, said=said(words), clock=clock or Clock()
        ) as memory:
            yield memory
    finally:
        await database.close()


def entry(key: str, content: str, **fields: Any) -> MemoryEntry:
    """An entry by a person, unless `fields` say otherwise."""
    return MemoryEntry(**{"key": key, "content": content, "created_at": START, "source": PERSON, **fields})


async def keys(memory: Memory, query: str, **how: Any) -> list[str]:
    """What is recalled, best first."""
    return [found.key for found in await memory.recall(query, **how)]
