"""Search by meaning: vectors of the entries, made beside the writing, and the vector of a query, made while one waits.

Above: the SQLite memory and its keeper. Below: embeddings, vectors. An embedder that fails costs this search and
nothing else; `trouble` says why.
"""

import asyncio
import functools
import logging
import sqlite3
from array import array
from typing import Final

from cetp_gateway.errors import ModelFailed, ModelFailure
from cetp_gateway.lru import Lru
from cetp_gateway.memory.embeddings import Embedder
from cetp_gateway.memory.vectors import NearestVectors, normal
from cetp_gateway.storage import Database

_BATCH: Final = 64
_QUERIES: Final = 256
"""Vectors of the latest queries that are kept."""
_TEXT_CHARS: Final = 8192

_log = logging.getLogger(__name__)


class Meaning:
    """One object per memory.

    Args:
        query_wait_s: longest wait for a query's vector; words alone count after it.
    """

    def __init__(self, embedder: Embedder, nearest: NearestVectors, *, query_wait_s: float) -> None:
        self.embedder = embedder
        self.nearest = nearest
        self.dims = 0
        """0 until the first vector."""
        self.trouble = ""
        """Why the embedder does not work just now; empty when it does."""
        self._query_wait_s = query_wait_s
        self._queries: Lru[str, array[float]] = Lru(_QUERIES)

    @property
    def model(self) -> str:
        """What stored vectors are marked with."""
        return f"{self.embedder.provider}:{self.embedder.model}"

    async def vector_of(self, query: str) -> "array[float] | None":
        """The query as a vector; None when there is none in time."""
        text = query[:_TEXT_CHARS]
        if not text.strip():
            return None
        known = self._queries.get(text)
        if known is not None:
            return known
        try:
            async with asyncio.timeout(self._query_wait_s):
                [vector] = await self._embed([text])
        except TimeoutError:
            self._failed(f"no answer within {self._query_wait_s:g} s")
            return None
        except ModelFailed as failure:
            self._failed(failure.message)
            return None
        return self._queries.put(text, vector)

    async def prepare(self, database: Database) -> None:
        """Leave no vectors of another model, and have the bits in memory."""
        gone = await database.write(lambda connection: self.nearest.drop_other_models(connection, self.model))
        if gone:
            _log.warning("%d embeddings were another model's; they are made anew with %s", gone, self.model)
        await database.read(self.nearest.load)

    async def embed_missing(self, database: Database) -> int:
        """Give every entry its vector; how many were made. Stops at the first failure."""
        total = 0
        while missing := await database.read(_missing):
            try:
                vectors = await self._embed([content[:_TEXT_CHARS] for _, _, content in missing])
            except ModelFailed as failure:
                self._failed(failure.message)
                break
            total += await database.write(functools.partial(self._keep, missing, vectors))
        return total

    def _keep(
        self, missing: list[tuple[int, str, str]], vectors: "list[array[float]]", connection: sqlite3.Connection
    ) -> int:
        """Store vectors of entries that still say the same."""
        for (number, namespace, content), vector in zip(missing, vectors, strict=True):
            same = "SELECT 1 FROM memories WHERE id = ? AND content = ?"
            if connection.execute(same, (number, content)).fetchone():
                self.nearest.put(connection, number, namespace, self.model, vector)
        return len(missing)

    async def _embed(self, texts: list[str]) -> "list[array[float]]":
        try:
            vectors = [normal(vector) for vector in await self.embedder.embed(texts)]
        except (ValueError, OverflowError) as error:
            raise ModelFailed(ModelFailure.BROKEN_ANSWER, f"The model for embeddings: {error}.") from None
        self.dims = len(vectors[0])
        if self.trouble:
            _log.warning("embeddings work again")
            self.trouble = ""
        return vectors

    def _failed(self, reason: str) -> None:
        if reason != self.trouble:
            _log.warning("there are no embeddings, so words alone count: %s", reason)
        self.trouble = reason


def _missing(connection: sqlite3.Connection) -> list[tuple[int, str, str]]:
    rows = connection.execute(
        "SELECT m.id, m.namespace, m.content FROM memories AS m LEFT JOIN memory_vectors AS v ON v.id = m.id "
        "WHERE v.id IS NULL ORDER BY m.id DESC LIMIT ?",
        (_BATCH,),
    )
    return [tuple(row) for row in rows]
