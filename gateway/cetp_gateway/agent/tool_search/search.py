"""The search for tools: one object for the whole gateway, over whichever tools a turn may use.

Above: `tool_offer`, `tool`. Below: `indexes`, `ranking`, `meaning`.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from cetp_gateway.agent.tool_search.indexes import ToolIndexes
from cetp_gateway.agent.tool_search.meaning import Embeds, ToolMeaning
from cetp_gateway.agent.tool_search.ranking import fused, ranked
from cetp_gateway.api import ToolSpec

_log = logging.getLogger(__name__)


class ToolSearch:
    """Finds tools by words, and by meaning when there is an embedder.

    Args:
        embedder: used within `open`; belongs to the caller.
    """

    def __init__(self, embedder: Embeds | None = None) -> None:
        self.indexes = ToolIndexes()
        self.meaning = ToolMeaning(embedder) if embedder else None

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

    async def find(self, tools: Sequence[ToolSpec], query: str, limit: int) -> list[ToolSpec]:
        """The tools that fit a text best, best first; a name of a tool in it counts as its words."""
        index = await self.indexes.of(tools)
        scores = index.scores(query)
        if self.meaning is not None:
            self.meaning.want(index.documents)
            scores = fused(scores, await self.meaning.similarities(query, index.documents))
        return [tools[place] for place in ranked(scores, index.apps, limit)]

    async def by_words(self, tools: Sequence[ToolSpec], text: str, limit: int) -> list[ToolSpec]:
        """The same without waiting for anybody: for what a turn begins with."""
        index = await self.indexes.of(tools)
        if self.meaning is not None:
            self.meaning.want(index.documents)
        return [tools[place] for place in ranked(index.scores(text), index.apps, limit)]
