"""Walks through an answer as far as it is certainly talk: up to a mark, a tagged block or an action, if there is one.

The same walk serves the stream, which may end anywhere, and the whole text, so both agree. Blocks of code and code
within a line are talk, whatever they hold. Above: `shown`, `answer`.
"""

import re
from typing import Final

import msgspec

from cetp_gateway.models.tool_text.bare_calls import CALL_TAGS
from cetp_gateway.models.tool_text.envelopes import LONGEST_MARK, MARKS, envelope_at
from cetp_gateway.models.tool_text.json_calls import skip_blank
from cetp_gateway.models.tool_text.offered_names import OfferedNames
from cetp_gateway.models.tool_text.react import ACTION, may_act

_STOP: Final = re.compile(r"[<\[◁f]|^[ \t]{0,3}[`~]|^A", re.MULTILINE)
_FENCE: Final = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})[ \t]*([\w+-]*)[^`\n]*(?:\n|\Z)")
_FENCE_PART: Final = re.compile(r"[ \t]{0,3}(?:`{1,2}|~{1,2}|`{3,}[^`\n]*|~{3,}[^\n]*)\Z")
_CLOSING_LINE: Final = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})[ \t]*(\n|\Z)", re.MULTILINE)
_CLOSING_PART: Final = re.compile(r"(?:\A|(?<=\n))[ \t]{0,3}[`~]*[ \t]*\Z")


class Walk(msgspec.Struct, frozen=True):
    """How far a walk came."""

    safe: int
    """Everything before this place is talk."""
    call: bool = False
    """What stands at `safe` may be a call."""
    fence: str = ""
    """The marks of the block of code that is open at `safe`."""


def talk_of(text: str) -> str:
    """Talk without the blanks at its end, but for those of its last line: they belong to a piece that the vendor sent,
    and clients are shown its pieces as they come.
    """
    end = len(text.rstrip())
    while end < len(text) and text[end] in " \t":
        end += 1
    return text[:end]


class _Verdict(msgspec.Struct, frozen=True):
    """What stands at a place: talk that ends at `end`, possibly opening a block; a call; or not yet known."""

    end: int = -1
    fence: str = ""
    call: bool = False


_CALL: Final = _Verdict(call=True)
_WAIT: Final = _Verdict()


def walk(text: str, at: int, tools: OfferedNames, *, fence: str = "", final: bool) -> Walk:
    """Go on from `at`.

    Args:
        text: begins at the beginning of a line.
        at: where the walk has come to.
        tools: those that the answer may name.
        fence: the open block of code at `at`.
        final: nothing more will come; without it, what is not certain yet is not passed.
    """
    while True:
        if fence:
            at, fence = _through_block(text, at, fence, final=final)
            if fence:
                return Walk(at, fence=fence)
        stop = _STOP.search(text, at)
        while stop is not None and not _is_stop(text, stop.start()):
            stop = _STOP.search(text, stop.start() + 1)
        if stop is None:
            return Walk(len(text))
        verdict = _judge(text, stop.start(), tools, final=final)
        if verdict.call or verdict is _WAIT:
            return Walk(stop.start(), call=verdict.call)
        at, fence = verdict.end, verdict.fence


def _is_stop(text: str, place: int) -> bool:
    """Letters, blanks and backticks count at the beginning of a line only."""
    return text[place] in "<[◁f" or place == 0 or text[place - 1] == "\n"


def _through_block(text: str, at: int, fence: str, *, final: bool) -> tuple[int, str]:
    """Behind the block's closing line; or as far as the block certainly goes, with the block still open."""
    for line in _CLOSING_LINE.finditer(text, at):
        if line[1].startswith(fence) and (line[2] or final):
            return line.end(), ""
    part = None if final else _CLOSING_PART.search(text, at)
    return (part.start() if part else len(text)), fence


def _judge(text: str, at: int, tools: OfferedNames, *, final: bool) -> _Verdict:
    if text[at] in "<[◁f":
        return _judge_mark(text, at, final=final)
    if text[at] == "A":
        return _judge_action(text, at, tools, final=final)
    fence = _FENCE.match(text, at)
    if fence is not None and (final or fence[0].endswith("\n")):
        if fence[2].lower() in CALL_TAGS:
            return _CALL
        return _Verdict(fence.end(), fence=fence[1])
    return _WAIT if not final and _FENCE_PART.match(text, at) else _Verdict(at + 1)


def _judge_mark(text: str, at: int, *, final: bool) -> _Verdict:
    talk = _Verdict(at + 1)
    envelope = envelope_at(text, at)
    if envelope is None:
        unfinished = not final and len(text) - at < LONGEST_MARK and any(mark.startswith(text[at:]) for mark in MARKS)
        return _WAIT if unfinished and not _within_code(text, at) else talk
    if _within_code(text, at):
        return talk
    behind = skip_blank(text, at + len(envelope.mark))
    if not envelope.begins:
        return _CALL
    if behind == len(text):
        return talk if final else _WAIT
    begins = text[behind]
    fits = begins in envelope.begins if begins != "a" else "a" in envelope.begins
    fits = fits or ("a" in envelope.begins and (begins.isalnum() or begins == "_"))
    return _CALL if fits else talk


def _judge_action(text: str, at: int, tools: OfferedNames, *, final: bool) -> _Verdict:
    talk = _Verdict(at + 1)
    if not text.startswith(ACTION, at):
        return _WAIT if not final and ACTION.startswith(text[at:]) else talk
    acts = may_act(text, at, tools) if not final else may_act(f"{text}\n", at, tools)
    if acts is None:
        return talk if final else _WAIT
    return _CALL if acts else talk


def _within_code(text: str, at: int) -> bool:
    """Between backticks on its line."""
    line = text.rfind("\n", 0, at) + 1
    return text.count("`", line, at) % 2 == 1


def block_at(text: str, at: int) -> tuple[int, str] | None:
    """The first line of a block of code that begins here: the place behind it, and its marks."""
    fence = _FENCE.match(text, at)
    return (fence.end(), fence[1]) if fence else None
