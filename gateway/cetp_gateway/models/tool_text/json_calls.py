"""Calls written as JSON: an object with a name and arguments under one of their usual keys, or several of them."""

import re
from typing import Any, Final

from cetp_gateway.models.arguments import checked_arguments
from cetp_gateway.models.tool_text.found import HALF, Found, FoundCall, Half
from cetp_gateway.models.tool_text.json_text import decode_leniently, end_of_json
from cetp_gateway.models.tool_text.offered_names import OfferedNames

NAME_KEYS: Final = ("name", "tool_name", "tool", "function", "action", "recipient_name", "function_name")
ARGUMENT_KEYS: Final = ("arguments", "parameters", "args", "input", "action_input", "tool_input", "kwargs")
OUTER_KEYS: Final = ("tool_call", "tool_calls", "function_call", "tool_uses", "calls")
OTHER_KEYS: Final = ("id", "type", "tool_call_id", "index")
MAX_CALLS: Final = 64
"""In one answer."""
_BLANK: Final = re.compile(r"\s*")
_BETWEEN: Final = re.compile(r"\s*[;,]?\s*(?=\{)")
_NAME: Final = re.compile(r'"(?:name|tool_name|tool|function)"\s*:\s*"([\w.:-]{1,128})"')
NOT_JSON: Final = "The arguments are not valid JSON. Write the whole call as one JSON object."


def read_json_calls(text: str, at: int, tools: OfferedNames) -> Found | Half | None:  # noqa: ARG001
    """One object, a list of objects, or objects one after the other."""
    at = skip_blank(text, at)
    if at == len(text):
        return HALF
    if text[at] not in "{[":
        return None
    calls: list[FoundCall] = []
    while True:
        end = end_of_json(text, at)
        if end < 0:
            return HALF
        found = _calls_in(text[at:end])
        if found is None:
            return Found(tuple(calls), at) if calls else None
        calls += found
        between = _BETWEEN.match(text, end)
        if between is None or len(calls) >= MAX_CALLS:
            return Found(tuple(calls[:MAX_CALLS]), end)
        at = between.end()


def skip_blank(text: str, at: int) -> int:
    """The place of the next character that is no blank."""
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _calls_in(written: str) -> list[FoundCall] | None:
    value, readable = decode_leniently(written)
    if readable:
        return calls_of(value)
    name = _NAME.search(written)
    return [FoundCall(name[1], {}, NOT_JSON)] if name else None


def calls_of(value: Any) -> list[FoundCall] | None:
    """The calls that a decoded value stands for; None when it is no call, or not only calls."""
    if isinstance(value, list):
        found = [calls_of(item) for item in value]
        return [call for calls in found for call in calls or ()] if found and None not in found else None
    if not isinstance(value, dict):
        return None
    for key in OUTER_KEYS:
        if isinstance(value.get(key), dict | list):
            return calls_of(value[key])
    if isinstance(value.get("function"), dict):
        return calls_of(value["function"])
    name = next((value[key] for key in NAME_KEYS if isinstance(value.get(key), str) and value[key].strip()), None)
    if name is None or not set(value) <= {*NAME_KEYS, *ARGUMENT_KEYS, *OTHER_KEYS}:
        return None
    given = next((value[key] for key in ARGUMENT_KEYS if key in value), None)
    return [FoundCall(plain_name(name), *checked_arguments(given))]


def plain_name(name: str) -> str:
    """The tool's own name, without the space in front of it and the number behind it that some models add."""
    name = name.strip().removeprefix("functions.").removeprefix("default_api.")
    return re.sub(r":\d+$", "", name)
