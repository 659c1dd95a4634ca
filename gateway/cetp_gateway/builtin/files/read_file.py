"""The tool that reads a file.

Above: `all_tools`. Below: `file_tool`, `text`.
"""

from itertools import accumulate
from typing import Annotated, Final

from msgspec import Meta

from cetp_gateway.api import CallContext, Effect
from cetp_gateway.builtin.builtin_tool import NotPossible
from cetp_gateway.builtin.declared import Asked, Declared
from cetp_gateway.builtin.files.file_tool import PATH, FileTool
from cetp_gateway.builtin.files.text import counted, lines_of, text_of

MAX_CHARS: Final = 20_000
"""Characters of one answer; fewer than a model is shown of a result, so that nothing is left out in the middle."""


class ReadAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which lines of which file."""

    path: Annotated[str, PATH]
    first_line: Annotated[int, Meta(ge=1, description="First line to read, counted from 1.")] = 1
    max_lines: Annotated[int, Meta(ge=1, le=10_000, description="Most lines to read.")] = 10_000


class ReadFile(FileTool[ReadAsked]):
    """Shows text as it is, under one line that says what of it is shown."""

    declared = Declared(
        ReadAsked,
        name="read_file",
        effect=Effect.READS,
        description=f"Reads a text file of the workspace, or some lines of it; up to {MAX_CHARS} characters at once.",
    )

    def work(self, asked: ReadAsked, context: CallContext) -> str:
        with self.space.place(context, asked.path) as place:
            content = place.read(self.space.file_bytes)
        text = text_of(content)
        if text is None:
            return f"[{place.shown}: {counted(len(content), 'byte')}, not text]"
        lines = list(lines_of(text))
        if asked.first_line > max(len(lines), 1):
            raise NotPossible(f"first_line: {place.shown} has {counted(len(lines), 'line')}.")
        shown = _fitting(lines[asked.first_line - 1 :][: asked.max_lines])
        return f"[{place.shown}: {_range(asked.first_line, shown, len(lines))}]\n{''.join(shown)}"


def _fitting(lines: list[str]) -> list[str]:
    """Whole lines as far as they fit; of a first one that is too long, its beginning."""
    fitting = sum(length <= MAX_CHARS for length in accumulate(map(len, lines)))
    return lines[:fitting] if fitting or not lines else [f"{lines[0][:MAX_CHARS]}… (the line goes on)\n"]


def _range(first: int, shown: list[str], total: int) -> str:
    last = first + len(shown) - 1
    if first == 1 and last >= total:
        return counted(total, "line")
    rest = f"; go on with first_line {last + 1}" if last < total else ""
    return f"lines {first} to {last} of {total}{rest}"
