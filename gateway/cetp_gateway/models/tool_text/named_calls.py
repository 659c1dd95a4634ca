"""Calls written as a name, some separators of the model's own, and the arguments as one JSON object."""

import re
from typing import Final

from cetp_gateway.models.arguments import checked_arguments
from cetp_gateway.models.tool_text.found import HALF, Found, FoundCall, Half
from cetp_gateway.models.tool_text.json_calls import NOT_JSON, plain_name
from cetp_gateway.models.tool_text.json_text import decode_leniently, end_of_json
from cetp_gateway.models.tool_text.offered_names import OfferedNames

_SEPARATOR: Final = (
    r"(?:\s|<｜tool▁sep｜>|\[ARGS\]|\[CALL_ID\]\w*|<\|tool_call_argument_begin\|>|<\|constrain\|>\w*"
    r"|<\|message\|>|<\|content\|>|```(?:json)?)"
)
_HEADER: Final = re.compile(rf"\s*(?:function<｜tool▁sep｜>)?([\w.-]{{1,128}}(?::\d+)?){_SEPARATOR}*(?=\{{)")
_HALF: Final = re.compile(rf"\s*(?:function<｜tool▁sep｜>)?[\w.:-]{{0,128}}{_SEPARATOR}*(?:[<\[`][^\s>\]]{{0,40}})?\Z")
_FENCE: Final = re.compile(r"\s*```")
_NESTED: Final = re.compile(r'\s*\{\s*"(?:arguments|parameters)"\s*:\s*\{')


def read_named_json(text: str, at: int, tools: OfferedNames) -> Found | Half | None:  # noqa: ARG001
    """The name, then the arguments."""
    header = _HEADER.match(text, at)
    if header is None:
        return HALF if _HALF.match(text, at) else None
    end = end_of_json(text, header.end())
    if end < 0:
        return HALF
    value, readable = decode_leniently(text[header.end() : end])
    arguments, problem = checked_arguments(value) if readable else ({}, NOT_JSON)
    if "```" in header[0] and (fence := _FENCE.match(text, end)):
        end = fence.end()
    return Found((FoundCall(plain_name(header[1]), arguments, problem),), end)
