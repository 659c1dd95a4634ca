"""Row 8: the memory with 100 000 entries: by words, by two Chinese letters, by meaning, storing, and its start.

In this process, through the memory as the gateway has it: each figure includes the way to the database's thread. All
times are the processor's, which on a quiet machine are those that one waits, and on a busy one stay the same.
"""

import asyncio
import functools
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from cetp_gateway.api import Memory, MemoryAuthor, MemoryEntry, MemorySource
from cetp_gateway.memory import SqliteMemory, open_memory
from cetp_gateway.memory.full_text import Scope
from cetp_gateway.memory.vectors import NearestVectors
from cetp_gateway.settings.memory import MemorySettings
from cetp_gateway.storage import MIGRATIONS, Database

from .effort import Effort
from .memory_texts import Texts
from .processes.samples import median
from .table import CHINESE, CHINESE_MISSED, MEANING, MEANING_MISSED, MEANING_NUMPY, SENTENCE, STORE, WAKING, Result

_PER_PHONE = 100
_QUERIES = 100
_DIMENSIONS = 384
_CLUSTERS = 1000
_PERSON = MemorySource(author=MemoryAuthor.PERSON)
_NOW = datetime.now(UTC)


def measure(effort: Effort) -> Iterator[Result]:
    """All of them, over one database."""
    with tempfile.TemporaryDirectory(prefix="cetp-bench-") as folder:
        yield from asyncio.run(_measure(Path(folder), effort))


async def _measure(folder: Path, effort: Effort) -> list[Result]:
    texts, count = Texts(), effort.phones * _PER_PHONE
    async with _opened(folder) as (_, memory):
        notes = [texts.note() if number % 2 else texts.chinese() for number in range(count)]
        await memory.restore([_entry(f"k{number}", text) for number, text in enumerate(notes)])
        results = [
            await _sentences(memory, texts, effort),
            *await _chinese(memory, texts, notes[::2], effort),
            await _stores(memory, texts, effort),
        ]
    async with _opened(folder) as (database, _):
        results += await _meaning(database, count, effort)
    return [*results, await _waking(folder, effort, count)]


@asynccontextmanager
async def _opened(folder: Path) -> Any:
    database = await Database.open(folder, MIGRATIONS)
    try:
        async with open_memory(MemorySettings(snapshot=False), database, folder) as memory:
            assert isinstance(memory, SqliteMemory)
            yield database, memory
    finally:
        await database.close()


async def _sentences(memory: Memory, texts: Texts, effort: Effort) -> Result:
    # What is common is learnt from the first questions.
    await _medians([lambda: memory.recall(texts.sentence())] * _QUERIES, 1)
    values = await _medians([lambda: memory.recall(texts.sentence())] * _QUERIES, effort.repetitions)
    return Result(SENTENCE, values, f"{await memory.count()} notes, 8 words")


async def _chinese(memory: Memory, texts: Texts, notes: Sequence[str], effort: Effort) -> list[Result]:
    pairs = [texts.pair_of(notes) for _ in range(_QUERIES)]
    values = await _medians([_recalling(memory, pair, 10) for pair in pairs], effort.repetitions)
    wanted = found = 0
    for pair in pairs[:30]:
        there = {note for note in notes if pair in note}
        hits = await memory.recall(pair, limit=len(notes))
        wanted += len(there)
        found += len(there & {hit.content for hit in hits})
    missed = 100 * (wanted - found) / wanted
    return [Result(CHINESE, values), Result(CHINESE_MISSED, (missed,), f"{found} of {wanted}")]


async def _stores(memory: Memory, texts: Texts, effort: Effort) -> Result:
    numbers = iter(range(10**9))

    def store() -> Awaitable[object]:
        number = next(numbers)
        return memory.store(_entry(f"n{number}", texts.note() if number % 2 else texts.chinese()))

    return Result(STORE, await _medians([store] * (2 * _QUERIES), effort.repetitions))


async def _meaning(database: Database, count: int, effort: Effort) -> list[Result]:
    chance = np.random.default_rng(1)
    centres = chance.normal(size=(_CLUSTERS, _DIMENSIONS))
    vectors = _unit(centres[chance.integers(_CLUSTERS, size=count)] + 0.6 * chance.normal(size=(count, _DIMENSIONS)))
    queries = _unit(vectors[chance.integers(count, size=_QUERIES)] + 0.02 * chance.normal(size=(_QUERIES, _DIMENSIONS)))
    plain, quick = NearestVectors(with_numpy=False), NearestVectors(with_numpy=True)
    for start in range(0, count, 5000):
        rows = vectors[start : start + 5000].tolist()
        await database.write(functools.partial(_put, plain, start + 1, rows))
    asked = queries.tolist()

    def searching(nearest: NearestVectors, query: list[float]) -> Callable[[], Awaitable[dict[int, float]]]:
        scope = Scope(namespace="default")
        return lambda: database.read(lambda connection: nearest.search(connection, query, scope, 10))

    results = []
    for row, nearest in ((MEANING, plain), (MEANING_NUMPY, quick)):
        await database.read(nearest.load)
        values = await _medians([searching(nearest, query) for query in asked], effort.repetitions)
        results.append(Result(row, values, f"{count} × {_DIMENSIONS}"))
    hits = 0
    for query, one in zip(queries, asked, strict=True):
        true = set((np.argsort(-(vectors @ query))[:10] + 1).tolist())
        hits += len(true & set(await searching(plain, one)()))
    missed = 100 * (1 - hits / (10 * _QUERIES))
    return [*results, Result(MEANING_MISSED, (missed,), f"{hits} of {10 * _QUERIES}")]


def _put(nearest: NearestVectors, first: int, rows: list[list[float]], connection: sqlite3.Connection) -> None:
    for number, row in enumerate(rows, start=first):
        nearest.put(connection, number, "default", "bench", row)


async def _waking(folder: Path, effort: Effort, count: int) -> Result:
    """Opening the memory in an open database, which a gateway's start waits for."""
    values = []
    for _ in range(effort.repetitions):
        database = await Database.open(folder, MIGRATIONS)
        started = time.process_time()
        async with open_memory(MemorySettings(snapshot=False), database, folder):
            values.append((time.process_time() - started) * 1e3)
        await database.close()
    return Result(WAKING, tuple(values), f"{count} entries with vectors")


async def _medians(works: Sequence[Callable[[], Awaitable[object]]], repetitions: int) -> tuple[float, ...]:
    """The median processor time of the works in milliseconds, for each repetition."""
    medians = []
    for _ in range(repetitions):
        times = []
        for work in works:
            started = time.process_time()
            await work()
            times.append((time.process_time() - started) * 1e3)
        medians.append(median(times))
    return tuple(medians)


def _recalling(memory: Memory, query: str, limit: int) -> Callable[[], Awaitable[object]]:
    return lambda: memory.recall(query, limit=limit)


def _entry(key: str, content: str) -> MemoryEntry:
    return MemoryEntry(key=key, content=content, category="notes", created_at=_NOW, source=_PERSON)


def _unit(vectors: Any) -> Any:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
