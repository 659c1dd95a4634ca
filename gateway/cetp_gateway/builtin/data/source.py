"""The text that a query is asked about: from the call, a file of the workspace, or a kept result.

Above: `query_json`, `query_csv`. Below: `files`, `results`.
"""

import asyncio
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from cetp_gateway.api import CallContext, Origin
from cetp_gateway.builtin.builtin_tool import NotPossible
from cetp_gateway.builtin.files import FileSpace
from cetp_gateway.builtin.files.file_tool import MAX_PATH_CHARS
from cetp_gateway.builtin.files.text import text_of
from cetp_gateway.builtin.results import KeptResults
from cetp_gateway.builtin.results.reference import REFERENCE

MAX_TEXT_CHARS: Final = 500_000

PathAsked = Annotated[str, Meta(max_length=MAX_PATH_CHARS, description="File of the workspace, in place of text.")]
ResultAsked = Annotated[str, REFERENCE]


class Source(msgspec.Struct, frozen=True):
    """A text, and whose words it holds if others'."""

    text: str
    origin: Origin | None = None


class Sources:
    """Where the queries find their texts."""

    def __init__(self, space: FileSpace, results: KeptResults | None) -> None:
        self._space = space
        self._results = results

    async def read(self, context: CallContext, *, text: str, path: str, result: str) -> Source:
        """The text that exactly one of the three means. Raises NotPossible."""
        if [bool(text), bool(path), bool(result)].count(True) != 1:
            raise NotPossible("Give either text, path or result.")
        if path:
            return Source(await asyncio.to_thread(self._file, context, path))
        if result:
            return self._kept(context, result)
        return Source(text)

    def _kept(self, context: CallContext, reference: str) -> Source:
        if self._results is None:
            raise NotPossible("result: this gateway keeps no results.")
        kept = self._results.find(context.session_id, reference)
        return Source(kept.text, kept.origin)

    def _file(self, context: CallContext, path: str) -> str:
        with self._space.place(context, path) as place:
            text = text_of(place.read(self._space.file_bytes))
        if text is None:
            raise NotPossible(f"{place.shown} is not text.")
        return text
