"""Gemma's own way to write a call: `call:name{key:<escape>text<escape>,other:3}`."""

import re
from typing import Any, Final

from cetp_gateway.models.tool_text.found import HALF, Found, FoundCall, Half
from cetp_gateway.models.tool_text.json_text import decode_leniently
from cetp_gateway.models.tool_text.offered_names import OfferedNames

_START: Final = re.compile(r"\s*call:([\w.-]{1,128})\s*\{")
_START_HALF: Final = re.compile(r"\s*(?:c|ca|cal|call|call:[\w.-]{0,128})?\s*\Z")
_PAIR: Final = re.compile(r"\s*,?\s*([\w.-]+)\s*:\s*(?:<escape>(.*?)<escape>|([^,{}<]+))", re.DOTALL)
_END: Final = re.compile(r"\s*\}")


def read_short_call(text: str, at: int, tools: OfferedNames) -> Found | Half | None:
    start = _START.match(text, at)
    if start is None:
        return HALF if _START_HALF.match(text, at) else None
    at, arguments = start.end(), dict[str, Any]()
    while (pair := _PAIR.match(text, at)) is not None:
        arguments[pair[1]] = pair[2] if pair[2] is not None else _plain(pair[3], start[1], pair[1], tools)
        at = pair.end()
    end = _END.match(text, at)
    if end is None:
        return HALF if "}" not in text[at:] else None
    return Found((FoundCall(start[1], arguments),), end.end())


def _plain(written: str, tool: str, key: str, tools: OfferedNames) -> Any:
    value, readable = decode_leniently(written.strip())
    return value if readable else tools.value(tool, key, written.strip())
