"""The search for tools: one object for the whole gateway, over whichever tools a turn may use.

Above: `tool_offer`, `tool`. Below: `indexes`, `ranking`, `meaning`.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from cetp_gateway.agent.tool_search.ranking import fused, ranked
from cetp_gateway.api import ToolSpec

if TYPE_CHECKING:
    from cetp_gateway.agent.tool_search.index import ToolIndex
    from cetp_gateway.agent.tool_search.indexes import ToolIndexes
    from cetp_gateway.agent.tool_search.meaning import Embeds, ToolMeaning

_log = logging.getLogger(__name__)


class ToolSearch:
    """Finds tools by words, and by meaning when there is an embedder.

    Args:
        embedder: used within `open`; belongs to the caller.
    """

    def __init__(self, embedder: "Embeds | None" = None) -> None:
        self.meaning = _meaning_by(embedder) if embedder else None

    @cached_property
    def indexes(self) -> "ToolIndexes":
        # When tools are first held back: 3 ms that the start of most gateways need not take longer.
        from cetp_gateway.agent.tool_search.indexes import ToolIndexes  # noqa: PLC0415

        return ToolIndexes()

    @asynccontextmanager
    async def open(self) -> "AsyncIterator[ToolSearch]":
        """Make vectors of tools as they are seen, for the length of the block."""
        if self.meaning is None:
            yield self
            return
        making = asyncio.create_task(self.meaning.run())
        try:
            yield self
        finally:
            making.cancel()
            [ended] = await asyncio.gather(making, return_exceptions=True)
            if isinstance(ended, Exception):
                _log.error("no more embeddings of tools were made", exc_info=ended)

    def over(self, tools: Sequence[ToolSpec]) -> "Searcher":
        """The search over these tools, for as long as they do not change, such as a turn."""
        return Searcher(self, tools)


class Searcher:
    """Finds among some tools. Made by `ToolSearch.over`."""

    def __init__(self, search: ToolSearch, tools: Sequence[ToolSpec]) -> None:
        self.tools = tools
        self._search = search
        self._index: ToolIndex | None = None

    async def find(self, query: str, limit: int) -> list[ToolSpec]:
        """The tools that fit a text best, best first."""
        index = await self._indexed()
        scores = index.scores(query)
        if self._search.meaning is not None:
            scores = fused(scores, await self._search.meaning.similarities(query, index.documents))
        return self._best(index, scores, limit)

    async def by_words(self, text: str, limit: int) -> list[ToolSpec]:
        """The same without waiting for an embedder: for what a turn begins with."""
        index = await self._indexed()
        return self._best(index, index.scores(text), limit)

    async def _indexed(self) -> "ToolIndex":
        if self._index is None:
            self._index = await self._search.indexes.of(self.tools)
        if self._search.meaning is not None:
            self._search.meaning.want(self._index.documents)
        return self._index

    def _best(self, index: "ToolIndex", scores: Mapping[int, float], limit: int) -> list[ToolSpec]:
        return [self.tools[place] for place in ranked(scores, index.apps, limit)]


def _meaning_by(embedder: "Embeds") -> "ToolMeaning":
    from cetp_gateway.agent.tool_search.meaning import ToolMeaning  # noqa: PLC0415  (as above)

    return ToolMeaning(embedder)
