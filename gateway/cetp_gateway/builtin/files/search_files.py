"""The tool that finds text in files.

Above: `all_tools`. Below: `file_tool`, `tree`, `text_pattern`, `path_glob`.
"""

import asyncio
import os
import threading
from collections.abc import Callable, Iterator
from typing import Annotated, Final

from msgspec import Meta

from cetp_gateway.api import CallContext, Effect
from cetp_gateway.builtin.builtin_tool import NotPossible
from cetp_gateway.builtin.declared import Asked, Declared
from cetp_gateway.builtin.files.file_tool import FOLDER, FileTool
from cetp_gateway.builtin.files.path_glob import MAX_CHARS as GLOB_CHARS
from cetp_gateway.builtin.files.path_glob import path_glob
from cetp_gateway.builtin.files.text import lines_of, text_of
from cetp_gateway.builtin.files.text_pattern import MAX_CHARS, text_pattern
from cetp_gateway.builtin.files.tree import Found, Tree

MAX_SHOWN: Final = 200
MAX_BYTES: Final = 128 * 1024 * 1024
"""Read in one call."""
LINE_CHARS: Final = 300
"""Shown of a line."""
SEARCHED_CHARS: Final = 20_000
"""Searched of a line."""


class SearchAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is looked for, and where."""

    text: Annotated[str, Meta(min_length=1, max_length=MAX_CHARS, description="Text of one line, or an expression.")]
    expression: Annotated[bool, Meta(description="True: `text` is a regular expression (without look-around).")] = False
    ignore_case: Annotated[bool, Meta(description="True: upper and lower case are the same.")] = True
    path: Annotated[str, FOLDER] = ""
    glob: Annotated[str, Meta(max_length=GLOB_CHARS, description="Only files whose path fits, such as *.md.")] = ""
    limit: Annotated[int, Meta(ge=1, le=MAX_SHOWN, description="Most lines to show.")] = 50


class SearchFiles(FileTool[SearchAsked]):
    """Lines that fit, each with its file and number."""

    declared = Declared(
        SearchAsked,
        name="search_files",
        effect=Effect.READS,
        description="Finds lines in the text files of the workspace that have a text or fit a regular expression.",
    )

    async def run(self, asked: SearchAsked, context: CallContext) -> str:
        stopped = threading.Event()
        try:
            return await asyncio.to_thread(self._search, asked, context, stopped)
        finally:
            # The deadline and an abort end this coroutine; the thread sees it at the next line.
            stopped.set()

    def work(self, asked: SearchAsked, context: CallContext) -> str:
        return self._search(asked, context, threading.Event())

    def _search(self, asked: SearchAsked, context: CallContext, stopped: threading.Event) -> str:
        fits = text_pattern(asked.text, expression=asked.expression, ignore_case=asked.ignore_case)
        wanted = path_glob(asked.glob) if asked.glob else None
        with self.space.place(context, asked.path) as place:
            folder = place.open_folder()
        search = _Search(fits, stopped, self.space.file_bytes)
        above = "" if place.shown == "." else f"{place.shown}/"
        try:
            for found in search.tree.entries(folder, deep=True):
                if found.kind == "file" and (wanted is None or wanted(found.path)):
                    search.look_into(found, f"{above}{found.path}", asked.limit)
                if search.is_over(asked.limit):
                    break
        finally:
            os.close(folder)
        return search.report(asked.limit)


class _Search:
    """What has been found so far."""

    def __init__(self, fits: Callable[[str], bool], stopped: threading.Event, file_bytes: int) -> None:
        self.tree = Tree()
        self._fits = fits
        self._stopped = stopped
        self._file_bytes = file_bytes
        self._lines: list[str] = []
        self._read = 0
        self._left_out = 0

    def is_over(self, limit: int) -> bool:
        return len(self._lines) > limit or self._read > MAX_BYTES or self._stopped.is_set()

    def look_into(self, found: Found, shown: str, limit: int) -> None:
        try:
            with found.place(shown) as place:
                content = place.read(self._file_bytes)
        except NotPossible:
            self._left_out += 1
            return
        self._read += len(content)
        for line in self._fitting(text_of(content) or ""):
            self._lines.append(f"{shown}:{line}")
            if len(self._lines) > limit:
                return

    def _fitting(self, text: str) -> Iterator[str]:
        for number, line in enumerate(lines_of(text), start=1):
            if self._stopped.is_set():
                return
            if self._fits(line.rstrip("\r\n")[:SEARCHED_CHARS]):
                yield f"{number}: {line.strip()[:LINE_CHARS]}"

    def report(self, limit: int) -> str:
        shown = self._lines[:limit] or ["No line fits."]
        if len(self._lines) > limit:
            shown.append(f"[more than {limit} lines fit; give a path, a glob or a longer text]")
        if self._read > MAX_BYTES or self.tree.cut:
            shown.append("[not everything was searched: too many files; give a path or a glob]")
        if self._left_out:
            shown.append(f"[not searched, too large or no plain files: {self._left_out}]")
        return "\n".join(shown)
