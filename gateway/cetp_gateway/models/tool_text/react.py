"""The ReAct way: `Thought:`, `Action:`, `Action Input:` on lines of their own, and `Final Answer:` at the end."""

import re
from typing import Final

from cetp_gateway.models.tool_text.found import HALF, Found, FoundCall, Half
from cetp_gateway.models.tool_text.json_calls import plain_name, read_json_calls, skip_blank
from cetp_gateway.models.tool_text.json_text import decode_leniently, end_of_json
from cetp_gateway.models.tool_text.offered_names import OfferedNames

ACTION: Final = "Action:"
THOUGHT: Final = "Thought:"
_ACTION: Final = re.compile(r"Action:[ \t]*`?([\w.-]{1,128})`?[ \t]*(?:\n|\Z)")
_ACTION_HALF: Final = re.compile(r"Action:[ \t]*(?:`{0,3}[\w.-]*)?\Z")
_INPUT: Final = re.compile(r"\s*Action Input:[ \t]*\n?")
_BLOCK: Final = re.compile(r"Action:\s*`{3}(?:json)?\s*")
_BLOCK_END: Final = re.compile(r"\s*`{3}")
_LINE: Final = re.compile(r"[^\n]*")
_ACTION_LINE: Final = re.compile(r"^Action:", re.MULTILINE)
_ANSWER: Final = re.compile(r"^(?:Final Answer|Answer):[ \t]*", re.MULTILINE)


def may_act(text: str, at: int, tools: OfferedNames) -> bool | None:
    """Does the line here, which begins with `Action:`, name an offered tool? None: it has not ended."""
    if _BLOCK.match(text, at):
        return True
    named = _ACTION.match(text, at)
    if named is not None and (named.end() < len(text) or text.endswith("\n")):
        return plain_name(named[1]) in tools
    return None if named or _ACTION_HALF.match(text, at) else False


def read_action(text: str, at: int, tools: OfferedNames) -> Found | Half | None:
    """The action here; it takes everything behind it along, for that is made up by the model."""
    block = _BLOCK.match(text, at)
    if block is not None:
        return _read_block(text, block.end(), tools)
    named = _ACTION.match(text, at)
    if named is None or plain_name(named[1]) not in tools:
        return None
    given = _INPUT.match(text, named.end())
    if given is None:
        return HALF if "Action Input:".startswith(text[named.end() :].strip()) else None
    at = skip_blank(text, given.end())
    name = plain_name(named[1])
    if text[at : at + 1] == "{":
        return _with_json_input(text, at, name)
    if at == len(text) and tools.property_names(name):
        return HALF
    return Found((_with_plain_input(text, at, name, tools),), len(text))


def _with_json_input(text: str, at: int, name: str) -> Found | Half:
    end = end_of_json(text, at)
    if end < 0:
        return HALF
    value, readable = decode_leniently(text[at:end])
    if not readable or not isinstance(value, dict):
        return Found((FoundCall(name, {}, "Action Input must be one JSON object."),), len(text))
    return Found((FoundCall(name, value),), len(text))


def _with_plain_input(text: str, at: int, name: str, tools: OfferedNames) -> FoundCall:
    """A plain text is meant for the tool's only property."""
    line = _LINE.match(text, at)
    written = line[0].strip().strip("\"'`") if line else ""
    names = tools.property_names(name)
    if not names or written in ("None", "null", "none"):
        return FoundCall(name, {})
    if len(names) == 1:
        return FoundCall(name, {names[0]: tools.value(name, names[0], written)})
    return FoundCall(name, {}, "Action Input must be one JSON object.")


def _read_block(text: str, at: int, tools: OfferedNames) -> Found | Half | None:
    """Command R: `Action:` with a block of JSON."""
    read = read_json_calls(text, at, tools)
    if not isinstance(read, Found):
        return read
    end = _BLOCK_END.match(text, read.end)
    return Found(read.calls, end.end() if end else read.end)


def split_thought(text: str, tools: OfferedNames) -> tuple[str, str]:
    """Thought and rest of an answer that begins with `Thought:`; no thought when neither action nor answer follows."""
    for line in _ACTION_LINE.finditer(text):
        if may_act(f"{text}\n", line.start(), tools):
            return text[: line.start()].removeprefix(THOUGHT).strip(), text[line.start() :]
    answer = _ANSWER.search(text)
    return (text[: answer.start()].removeprefix(THOUGHT).strip(), text[answer.end() :]) if answer else ("", text)
