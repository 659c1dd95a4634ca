"""The tool that reads a kept result: a part of it, or the places where some words stand.

Above: `all_tools`. Below: `kept_results`, `pieces`, `places`.
"""

import asyncio
from typing import Annotated, Final

from msgspec import Meta

from cetp_gateway.api import Answered, CallContext, Effect
from cetp_gateway.builtin.builtin_tool import BuiltinTool, NotPossible
from cetp_gateway.builtin.declared import Asked, Declared
from cetp_gateway.builtin.files.text import counted
from cetp_gateway.builtin.results.kept_results import KeptResult, KeptResults
from cetp_gateway.builtin.results.pieces import Piece, line_start, of_characters, of_lines
from cetp_gateway.builtin.results.places import places_of
from cetp_gateway.builtin.results.reference import REFERENCE

MAX_CHARS: Final = 20_000
HEAD_CHARS: Final = 300
"""For the line that says what is shown, so that an answer is not cut itself (`limits.result_chars`)."""


class ReadResultAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which part of which result."""

    result: Annotated[str, REFERENCE]
    find: Annotated[
        str, Meta(max_length=200, description="Words to look for, in any case; shows where they stand.")
    ] = ""
    around: Annotated[int, Meta(ge=0, le=20, description="With find: lines to show before and after each.")] = 2
    offset: Annotated[int, Meta(ge=0, description="Characters to leave out first.")] = 0
    first_line: Annotated[int, Meta(ge=0, description="In place of offset: first line, counted from 1.")] = 0
    max_lines: Annotated[int, Meta(ge=1, le=10_000, description="With first_line: most lines to read.")] = 10_000


class ReadResult(BuiltinTool[ReadResultAsked]):
    """Text as it is, under one line that says what of it is shown; as much others' words as the result."""

    declared = Declared(
        ReadResultAsked,
        name="read_result",
        effect=Effect.READS,
        description=(
            "Reads a result of this conversation that was cut because it was too long: a part by characters or lines, "
            "or the places where some words stand. For JSON and tables query_json and query_csv are better."
        ),
    )

    def __init__(self, results: KeptResults) -> None:
        self._results = results

    async def run(self, asked: ReadResultAsked, context: CallContext) -> Answered:
        if asked.offset and asked.first_line:
            raise NotPossible("Give either offset or first_line.")
        kept = self._results.find(context.session_id, asked.result)
        room = min(MAX_CHARS, max(self._results.limits().result_chars - HEAD_CHARS, HEAD_CHARS))
        return Answered(await asyncio.to_thread(_read, asked, kept, room), kept.origin)


def _read(asked: ReadResultAsked, kept: KeptResult, room: int) -> str:
    text = kept.text
    start = _start(asked, text)
    whose = f"{kept.reference} of {kept.tool}"
    if asked.find:
        found = places_of(text, asked.find, start=start, around=asked.around, room=room)
        return f"[{whose}: {found.head}]\n{found.text}"
    if asked.first_line:
        return _shown(whose, of_lines(text, start, asked.max_lines, room), len(text))
    return _shown(whose, of_characters(text, start, room), len(text))


def _start(asked: ReadResultAsked, text: str) -> int:
    if asked.first_line:
        start = line_start(text, asked.first_line)
        if start is None:
            lines = text.count("\n") + 1
            raise NotPossible(f"first_line: the result has {counted(lines, 'line')}.")
        return start
    if asked.offset > len(text):
        raise NotPossible(f"offset: the result has {counted(len(text), 'character')}.")
    return asked.offset


def _shown(whose: str, piece: Piece, total: int) -> str:
    rest = f"; go on with offset {piece.end}" if piece.end < total else ""
    return f"[{whose}: characters {piece.start} to {piece.end} of {total}{rest}]\n{piece.text}"
