"""Calls without marks of their own: an answer that is nothing but JSON, a list of Python calls, or a block of code
with one of them. They count only when they are the whole answer and name an offered tool.
"""

import re
from typing import Final

from cetp_gateway.models.tool_text.envelopes import envelope_at, read_envelopes, skip_left_over
from cetp_gateway.models.tool_text.found import HALF, Found, FoundCall, Half
from cetp_gateway.models.tool_text.json_calls import ARGUMENT_KEYS, NAME_KEYS, OTHER_KEYS, OUTER_KEYS, read_json_calls
from cetp_gateway.models.tool_text.named_calls import read_named_json
from cetp_gateway.models.tool_text.offered_names import OfferedNames
from cetp_gateway.models.tool_text.python_calls import python_calls

HEAD_CHARS: Final = 160
"""The beginning of an answer decides whether it can be a bare call; until then it is held back."""
_KEYS: Final = "|".join((*NAME_KEYS, *ARGUMENT_KEYS, *OTHER_KEYS, *OUTER_KEYS))
_BARE_JSON: Final = re.compile(rf"[\[{{]\s*\{{?\s*[\"'](?:{_KEYS})[\"']\s*:")
_BARE_LIST: Final = re.compile(r"\[\s*([A-Za-z_][\w.]*)\s*\(")
_FENCE: Final = re.compile(r"(`{3,}|~{3,})[ \t]*([\w+-]*)[ \t]*\n\s*")
_FENCE_END: Final = re.compile(r"\s*(?:`+|~+)\s*")
_NAMED: Final = ">>>"
CALL_TAGS: Final = frozenset({"tool_call", "tool_calls", "tool_code", "tool", "tool_use", "function_call"})
"""Words behind the opening of a block that say that it is a call; such a block counts anywhere."""


def could_begin(text: str) -> bool:
    """An answer that begins with this, blanks at its start left out, may turn out to be a bare call."""
    return not text or text[0] in "{[`~" or _NAMED.startswith(text[:3]) or text.startswith(_NAMED)


def looks_bare(head: str, tools: OfferedNames) -> bool:
    """The same for the first HEAD_CHARS of an answer, or for a whole shorter one."""
    fence = _FENCE.match(head)
    if fence is not None:
        inner = head[fence.end() :]
        return envelope_at(inner, 0) is not None or bool(_BARE_JSON.match(inner)) or _lists_calls(inner, tools)
    if envelope_at(head, 0) is not None:
        return False
    return bool(_BARE_JSON.match(head)) or _lists_calls(head, tools) or head.startswith(_NAMED)


def _lists_calls(text: str, tools: OfferedNames) -> bool:
    found = _BARE_LIST.match(text)
    return found is not None and found[1] in tools


def read_bare(text: str, tools: OfferedNames) -> Found | Half | None:
    """The calls when the text is nothing else; HALF when it ends inside one."""
    at = 0
    if text.startswith(_NAMED):
        read = _read_named(text, tools)
    elif fence := _FENCE.match(text):
        at = fence.end()
        read = read_envelopes(text, at, tools) or _read_plain(text, at, tools)
    else:
        read = _read_plain(text, at, tools)
    if not isinstance(read, Found):
        return read
    rest = _FENCE_END.match(text, read.end) if at else None
    end = skip_left_over(text, rest.end() if rest else read.end)
    known = all(call.name in tools for call in read.calls)
    return Found(read.calls, end) if known and end == len(text) else None


def _read_named(text: str, tools: OfferedNames) -> Found | Half | None:
    """Functionary 3.2: `>>>name`, a line end, the arguments; several one after the other."""
    calls: list[FoundCall] = []
    at = 0
    while text.startswith(_NAMED, at):
        read = read_named_json(text, at + len(_NAMED), tools)
        if not isinstance(read, Found):
            return read
        calls += read.calls
        at = skip_left_over(text, read.end)
    return Found(tuple(calls), at)


def _read_plain(text: str, at: int, tools: OfferedNames) -> Found | Half | None:
    if not _BARE_LIST.match(text, at):
        return read_json_calls(text, at, tools)
    end = text.rfind("]") + 1
    calls = python_calls(text[at:end], tools) if end > at else None
    if calls is None:
        return HALF if not text.rstrip().rstrip("`~").rstrip().endswith("]") else None
    return Found(calls, end)


def read_tagged_block(text: str, at: int, tools: OfferedNames) -> Found | Half | None:
    """A block of code whose first line says that it is a call; `at` is the block's beginning."""
    fence = _FENCE.match(text, at)
    if fence is None or fence[2].lower() not in CALL_TAGS:
        return None
    end = text.find(f"\n{fence[1]}", fence.end() - 1)
    if end < 0:
        return HALF
    inner = text[fence.end() : end]
    read = read_json_calls(inner, 0, tools) or read_envelopes(inner, 0, tools)
    calls = read.calls if isinstance(read, Found) else python_calls(inner, tools)
    if not calls or not all(call.name in tools for call in calls):
        return None
    return Found(tuple(calls), end + 1 + len(fence[1]))
