"""Calls written as tags: one for the tool, one for each argument, values as text between them."""

import re
from typing import Final

from cetp_gateway.models.arguments import read_arguments
from cetp_gateway.models.tool_text.found import HALF, Found, FoundCall, Half
from cetp_gateway.models.tool_text.json_calls import plain_name, skip_blank
from cetp_gateway.models.tool_text.offered_names import OfferedNames

_SPACE: Final = r"(?:[\w-]+:|｜DSML｜)?"
"""A name space in front of a tag's name."""
_FUNCTION_NAME: Final = re.compile(r"([\w.:-]{1,128})\s*>")
_INVOKE_NAME: Final = re.compile(r"[\"']?([\w.:-]{1,128})[\"']?\s*>")
_FUNCTION_END: Final = re.compile(r"</function>(?=(\s*</(?:tool_call|seed:tool_call)>)?)")
_INVOKE_END: Final = re.compile(rf"</{_SPACE}invoke>(?=(\s*</{_SPACE}function_calls>)?)")
_KEY: Final = (
    rf"<{_SPACE}parameter(?:\s*=\s*|\s+name\s*=\s*)[\"']?([\w.:$-]{{1,128}})[\"']?(?:\s+string=\"(true|false)\")?\s*>"
)
_PARAMETER: Final = re.compile(
    rf"{_KEY}(.*?)(?:</{_SPACE}parameter>\s*(?=<{_SPACE}parameter[\s=]|\Z)|(?=<{_SPACE}parameter[\s=])|\Z)", re.DOTALL
)
_OPEN: Final = re.compile(rf"<{_SPACE}parameter[\s=]")
_CLOSED: Final = re.compile(rf"</{_SPACE}parameter>\s*\Z")
_PAIR: Final = re.compile(r"\s*<arg_key>(.*?)</arg_key>\s*<arg_value>(.*?)</arg_value>", re.DOTALL)
_PAIR_NAME: Final = re.compile(r"\s*([\w.:-]{1,128})\s*(?=<arg_key>|</tool_call>)")
_PAIR_HALF: Final = re.compile(r"\s*[\w.:-]{1,128}\s*(?:<[\w/]*)?\Z")
_PAIR_END: Final = "</tool_call>"
_NAME_HALF: Final = re.compile(r"[\"']?[\w.:-]{0,128}[\"']?\s*\Z")


def read_function_tag(text: str, at: int, tools: OfferedNames) -> Found | Half | None:
    """Behind `<function=`: `name>`, then parameter tags or a JSON object, then `</function>`."""
    return _read_tag(text, at, tools, _FUNCTION_NAME, _FUNCTION_END)


def read_invoke_tag(text: str, at: int, tools: OfferedNames) -> Found | Half | None:
    """Behind `<invoke name=`: `"name">`, then parameter tags, then `</invoke>`."""
    return _read_tag(text, at, tools, _INVOKE_NAME, _INVOKE_END)


def _read_tag(
    text: str, at: int, tools: OfferedNames, naming: re.Pattern[str], ending: re.Pattern[str]
) -> Found | Half | None:
    named = naming.match(text, at)
    if named is None:
        return HALF if _NAME_HALF.match(text, at) else None
    # A value may hold the closing tag itself: the call ends where its last value has ended too, or the group.
    ends = ending.finditer(text, named.end())
    end = next((end for end in ends if end[1] or _values_closed(text[named.end() : end.start()])), None)
    if end is None:
        return HALF
    body, name = text[named.end() : end.start()], plain_name(named[1])
    if body.lstrip().startswith("{"):
        return Found((FoundCall(name, *read_arguments(body)),), end.end())
    arguments = {
        found[1]: found[3] if found[2] == "true" else tools.value(name, found[1], found[3])
        for found in _PARAMETER.finditer(body)
    }
    problem = "" if arguments or not body.strip() else "The arguments could not be read."
    return Found((FoundCall(name, arguments, problem),), end.end())


def _values_closed(body: str) -> bool:
    return not _OPEN.search(body) or bool(_CLOSED.search(body))


def read_key_value_tags(text: str, at: int, tools: OfferedNames) -> Found | Half | None:
    """The name alone, then pairs of `<arg_key>` and `<arg_value>`, then `</tool_call>`."""
    named = _PAIR_NAME.match(text, at)
    if named is None:
        return HALF if _PAIR_HALF.match(text, at) else None
    at, name, arguments = named.end(), plain_name(named[1]), {}
    while (pair := _PAIR.match(text, at)) is not None:
        key = pair[1].strip()
        arguments[key] = tools.value(name, key, pair[2])
        at = pair.end()
    at = skip_blank(text, at)
    if not text.startswith(_PAIR_END, at):
        return HALF
    return Found((FoundCall(name, arguments),), at + len(_PAIR_END))
