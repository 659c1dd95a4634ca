"""Tools by the meaning of what is asked: vectors of descriptions, made beside the turns, and of the question.

Above: `search`. Below: an embedder, handed in; `memory.vectors` for the arithmetic. Vectors are kept in memory by the
content they stand for. An embedder that fails costs the meaning and nothing else: words find tools too.
"""

import asyncio
import logging
from array import array
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from cetp_gateway.agent.tool_search.document import ToolDocument
from cetp_gateway.errors import ModelFailed, ModelFailure
from cetp_gateway.lru import Lru
from cetp_gateway.memory.vectors import bits_of, normal, similarity

VECTORS: Final = 4096
"""Tools whose vectors are kept; 7 MB with 384 dimensions. Those of longer lists count by words alone."""
_BATCH: Final = 32
_CANDIDATES: Final = 200
"""Vectors that are compared in full, those whose signs agree most."""
_QUERIES: Final = 64
_REST_S: Final = 60.0
"""How long the embedder is left alone after a failure: a search must not wait for it each time."""

_log = logging.getLogger(__name__)


class Embeds(Protocol):
    """What makes vectors of texts; the memory's embedders do."""

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text. Raises ModelFailed."""
        ...


class _Vector:
    __slots__ = ("bits", "numbers")

    def __init__(self, numbers: "array[float]") -> None:
        self.numbers = numbers
        self.bits = int.from_bytes(bits_of(numbers), "little")


class ToolMeaning:
    """One object for all turns.

    Args:
        query_wait_s: longest wait for a question's vector.
    """

    def __init__(self, embedder: Embeds, *, query_wait_s: float = 3.0) -> None:
        self._embedder = embedder
        self._query_wait_s = query_wait_s
        self._vectors: Lru[bytes, _Vector] = Lru(VECTORS)
        self._queries: Lru[str, _Vector] = Lru(_QUERIES)
        self._wanted: dict[bytes, str] = {}
        self._asked = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._trouble = ""
        self._rests_until = 0.0

    def want(self, documents: Sequence[ToolDocument]) -> None:
        """Have the vectors of these tools made."""
        if self._rests():
            return
        for document in documents[:VECTORS]:
            if self._vectors.get(document.key) is None and len(self._wanted) < VECTORS:
                self._wanted[document.key] = document.text
        if self._wanted:
            self._idle.clear()
            self._asked.set()

    async def settled(self) -> None:
        """Wait until all vectors that were wanted are there, or the embedder has failed."""
        await self._idle.wait()

    async def run(self) -> None:
        """Make vectors as long as the task lives."""
        while True:
            await self._asked.wait()
            if await self._make_some():
                continue
            self._asked.clear()
            self._idle.set()

    async def similarities(self, query: str, documents: Sequence[ToolDocument]) -> Mapping[int, float]:
        """Of a question to the nearest tools that have a vector, by place; empty when its own is not there in time."""
        asked = await self._query(query.strip())
        if asked is None:
            return {}
        known = ((place, self._vectors.get(document.key)) for place, document in enumerate(documents))
        there = [(place, vector) for place, vector in known if vector is not None]
        there.sort(key=lambda each: (asked.bits ^ each[1].bits).bit_count())
        return {
            place: max(similarity(asked.numbers, vector.numbers), 0.0)
            for place, vector in there[:_CANDIDATES]
            if len(vector.numbers) == len(asked.numbers)
        }

    async def _query(self, text: str) -> _Vector | None:
        known = self._queries.get(text)
        if known is not None or not text or self._rests():
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

    async def _make_some(self) -> bool:
        """A batch of what is wanted; False when nothing is left or the embedder fails."""
        batch = list(self._wanted.items())[:_BATCH]
        if not batch:
            return False
        try:
            vectors = await self._embed([text for _, text in batch])
        except ModelFailed as failure:
            self._failed(failure.message)
            self._wanted.clear()
            return False
        for (key, _), vector in zip(batch, vectors, strict=True):
            self._vectors.put(key, vector)
            self._wanted.pop(key, None)
        return True

    async def _embed(self, texts: list[str]) -> list[_Vector]:
        made = await self._embedder.embed(texts)
        try:
            vectors = [_Vector(normal(vector)) for _, vector in zip(texts, made, strict=True)]
        except (ValueError, OverflowError) as error:
            raise ModelFailed(ModelFailure.BROKEN_ANSWER, f"The model for embeddings: {error}.") from None
        self._trouble = ""
        return vectors

    def _rests(self) -> bool:
        return asyncio.get_running_loop().time() < self._rests_until

    def _failed(self, reason: str) -> None:
        if reason != self._trouble:
            _log.warning("tools are found by words alone, since there are no embeddings: %s", reason)
        self._trouble = reason
        self._rests_until = asyncio.get_running_loop().time() + _REST_S
