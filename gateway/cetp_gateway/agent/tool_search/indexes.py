"""Indexes of the lists of tools that turns see, made once for equal lists; a changed list costs its changed tools.

Above: `search`. Below: `index`, `document`.
"""

import asyncio
from collections.abc import Sequence
from hashlib import blake2b
from time import perf_counter
from typing import Final

from cetp_gateway.agent.tool_search.document import ToolDocument, document_key, document_of, encoded
from cetp_gateway.agent.tool_search.index import ToolIndex
from cetp_gateway.agent.tool_search.labels import app_of
from cetp_gateway.api import ToolSpec
from cetp_gateway.lru import Lru

_LISTS: Final = 8
"""Sessions with private tools see lists of their own."""
_DOCUMENTS: Final = 8192
_SLICE_S: Final = 0.002
"""Longest stretch of work before other tasks get their turn."""


class ToolIndexes:
    """One object for all turns."""

    def __init__(self) -> None:
        self._indexes: Lru[bytes, ToolIndex] = Lru(_LISTS)
        self._documents: Lru[bytes, ToolDocument] = Lru(_DOCUMENTS)
        self.made = 0
        """Indexes made so far."""

    async def of(self, tools: Sequence[ToolSpec]) -> ToolIndex:
        """The index of these tools, by their places."""
        pause = _Pause()
        digest = blake2b(digest_size=16)
        for tool in tools:
            digest.update(encoded(tool))
            digest.update(app_of(tool).encode())
            await pause()
        index = self._indexes.get(digest.digest())
        if index is not None:
            return index
        index = ToolIndex()
        for tool in tools:
            index.add(self._document_of(tool), app_of(tool))
            await pause()
        self.made += 1
        return self._indexes.put(digest.digest(), index)

    def at_once(self, tools: Sequence[ToolSpec]) -> ToolIndex:
        """The same in one go, for callers that cannot wait; not kept."""
        index = ToolIndex()
        for tool in tools:
            index.add(self._document_of(tool), app_of(tool))
        return index

    def _document_of(self, tool: ToolSpec) -> ToolDocument:
        key = document_key(tool)
        return self._documents.get(key) or self._documents.put(key, document_of(tool, key))


class _Pause:
    """Lets other tasks run whenever a slice of work is over."""

    def __init__(self) -> None:
        self._started = perf_counter()

    async def __call__(self) -> None:
        if perf_counter() - self._started > _SLICE_S:
            await asyncio.sleep(0)
            self._started = perf_counter()
