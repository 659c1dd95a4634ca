"""What a whole answer says: its text without marks, and the calls that are meant.

A call is meant when it stands alone on its line or begins it, was not copied from what somebody else wrote, and is
whole. Above: `model`. Below: `scanning` finds places, the readers read them.
"""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from cetp_gateway.models.tool_text.bare_calls import (
    HEAD_CHARS,
    could_begin,
    looks_bare,
    read_bare,
    read_tagged_block,
)
from cetp_gateway.models.tool_text.envelopes import MARKS, read_envelopes, skip_marks
from cetp_gateway.models.tool_text.found import HALF, Found, FoundCall, Half
from cetp_gateway.models.tool_text.offered_names import OfferedNames
from cetp_gateway.models.tool_text.react import ACTION, THOUGHT, read_action, split_thought
from cetp_gateway.models.tool_text.scanning import block_at, talk_of, walk

_MADE_UP: Final = re.compile(
    r"\s*(?:Observation:|<tool_response>|<tool_result|<function_results>|\[TOOL_RESULTS\]|\[Tool results\]"
    r"|<｜tool▁outputs?▁begin｜>)"
)
"""Results that a model invents behind its own call."""
_THOUGHT_END: Final = "</think>"
_BLANKS: Final = re.compile(r"\s+")


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """What surrounds an answer."""

    tools: OfferedNames
    quotable: str = ""
    """What others wrote, as `squeezed` makes it: calls that stand in it are quotations."""
    about_code: bool = False
    """The person asks for code, JSON or an example: only calls with marks count, and none that is talked about."""
    cut: bool = False
    """The answer was cut off at the output limit."""


class Answer(msgspec.Struct, frozen=True):
    """What was said."""

    text: str
    calls: tuple[FoundCall, ...] = ()
    thought: str = ""
    half: bool = False
    """The answer ends inside a call; what there was of it is not in `text`."""


def squeezed(text: str) -> str:
    """The text without its blanks: models wrap lines anew when they copy."""
    return _BLANKS.sub("", text)


def read_answer(text: str, setting: Setting) -> Answer:
    """Read a whole answer."""
    text = text.lstrip()
    bare = not setting.about_code
    if bare and could_begin(text) and looks_bare(text[:HEAD_CHARS], setting.tools):
        answer = _read_bare(text, setting)
        if answer is not None:
            return answer
    thought = ""
    if bare and text.startswith(THOUGHT):
        thought, text = split_thought(text, setting.tools)
    answer = _Reading(_without_thought(text, setting), setting).read()
    return msgspec.structs.replace(answer, thought=thought)


def _read_bare(text: str, setting: Setting) -> Answer | None:
    read = read_bare(text, setting.tools)
    marked = any(mark in text for mark in MARKS)
    if read is HALF and (marked or setting.tools.any_named_in(text)):
        return Answer("", half=True)
    if isinstance(read, Found) and not _is_quoted(text, read, setting):
        return Answer("", read.calls)
    return None


def _is_quoted(written: str, read: Found, setting: Setting) -> bool:
    """Somebody else wrote this call, with or without the marks around it."""
    core = squeezed(written[written.find("{") : written.rfind("}") + 1])
    named = any(call.name in core for call in read.calls)
    return squeezed(written) in setting.quotable or (named and core in setting.quotable)


def _without_thought(text: str, setting: Setting) -> str:
    """Without calls that stand in thoughts whose opening mark the server has swallowed."""
    end = text.rfind(_THOUGHT_END)
    first = walk(text, 0, setting.tools, final=True)
    if end < 0 or not first.call or first.safe > end:
        return text
    return f"{talk_of(text[: first.safe])}\n\n{text[end + len(_THOUGHT_END) :].lstrip()}"


class _Reading:
    """One pass over an answer."""

    def __init__(self, text: str, setting: Setting) -> None:
        self._text = text
        self._setting = setting
        self._said: list[str] = []
        self._calls: list[FoundCall] = []
        self._from = 0
        """Where the talk began that is not in `_said` yet."""

    def read(self) -> Answer:
        at, fence = 0, ""
        while True:
            walked = walk(self._text, at, self._setting.tools, fence=fence, final=True)
            if not walked.call:
                return self._end(half=False)
            read = self._read_at(walked.safe)
            if read is HALF:
                self._say(walked.safe)
                self._from = len(self._text)
                return self._end(half=True)
            fence = ""
            found = read if isinstance(read, Found) else None
            if found is not None and self._is_meant(walked.safe, found):
                self._say(walked.safe)
                self._calls += found.calls
                made_up = _MADE_UP.match(self._text, found.end)
                self._from = at = len(self._text) if made_up else found.end
            else:
                at, fence = self._behind_talk(walked.safe, found)

    def _behind_talk(self, at: int, read: Found | None) -> tuple[int, str]:
        """Where to go on behind something that looked like a call and is none, and the block that it opens."""
        block = block_at(self._text, at)
        if block is not None:
            return block
        return max(read.end if read else skip_marks(self._text, at), at + 1), ""

    def _read_at(self, at: int) -> Found | Half | None:
        if self._text.startswith(ACTION, at):
            return read_action(self._text, at, self._setting.tools)
        if block_at(self._text, at) is not None:
            return read_tagged_block(self._text, at, self._setting.tools)
        return read_envelopes(self._text, at, self._setting.tools)

    def _is_meant(self, at: int, read: Found) -> bool:
        written = self._text[at : read.end]
        if _is_quoted(written, read, self._setting):
            return False
        behind = self._text[read.end :].strip()
        if behind and self._setting.about_code:
            return False
        alone = not behind or "\n" in written[len(written.rstrip()) :] or self._text[read.end : read.end + 1] == "\n"
        begins = not self._text[self._text.rfind("\n", 0, at) + 1 : at].strip()
        return alone or begins

    def _say(self, to: int) -> None:
        self._said.append(self._text[self._from : to])

    def _end(self, *, half: bool) -> Answer:
        rest = self._text[self._from :]
        if self._setting.cut and not half:
            rest = _without_half_mark(rest)
        said = [part for part in (*self._said, rest) if part.strip()]
        texts = [part.strip() if number else talk_of(part) for number, part in enumerate(said)]
        text = "\n\n".join(texts) if self._calls or half else "".join(said)
        return Answer(text, tuple(self._calls), half=half)


def _without_half_mark(text: str) -> str:
    """Without a mark, or the first letters of one, at the end of a text that was cut off."""
    while True:
        bare = text.rstrip()
        cuts = [
            size for mark in MARKS for size in range(min(3, len(mark)), len(mark) + 1) if bare.endswith(mark[:size])
        ]
        if not cuts:
            return text
        text = bare[: len(bare) - max(cuts)].rstrip()


def quotable_texts(texts: Sequence[str]) -> str:
    """What others wrote, ready to be looked through."""
    return "\0".join(squeezed(text) for text in texts)
