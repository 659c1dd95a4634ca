"""Results of tools in readable lines. Values stand there as the tool gave them; nothing is added to them."""

import html
import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from cetp_gateway.api import ToolResult, ToolSpec

NO_LLM: Final = (
    "(The offline planner, no language model: it picks tools by their words and repeats what they say. "
    "Set model.provider for real answers.)"
)
WRAPPED: Final = re.compile(r"<tool_output\b([^>]*)>\s?(.*)</tool_output>", re.DOTALL)
ATTRIBUTE: Final = re.compile(r'(\w+)="([^"]*)"')
ERROR: Final = re.compile(r"^\s*error\b\s*:?\s*", re.IGNORECASE)
CODE: Final = re.compile(r"^[\[(]?([A-Z][A-Z_]{3,})[\])]?\s*[:—-]?\s*")
MAX_ENTRIES: Final = 20
MAX_LISTED_TOOLS: Final = 12
MAX_VALUE_CHARS: Final = 300
MAX_TEXT_CHARS: Final = 4000


def report_results(results: Sequence[ToolResult]) -> str:
    """One paragraph per result, in order, and the admission that no LLM wrote it."""
    return "\n\n".join([*(_report(result) for result in results), NO_LLM])


def report_nothing_fits(tools: Sequence[ToolSpec], missing: Sequence[tuple[str, str]]) -> str:
    """What could be asked instead."""
    if missing:
        lines = [f"{tool} would fit, but I cannot tell its {argument!r} from your words." for tool, argument in missing]
        return "\n".join([*lines, 'Put the value in "quotation marks" and ask again.', "", NO_LLM])
    if not tools:
        return f"No tool is connected, so there is nothing I can look up.\n\n{NO_LLM}"
    lines = [f"- {tool.name}: {_one_line(tool.description)}" for tool in tools[:MAX_LISTED_TOOLS]]
    rest = [f"- … and {len(tools) - MAX_LISTED_TOOLS} more"] if len(tools) > MAX_LISTED_TOOLS else []
    return "\n".join(["No tool fits these words. I can use:", *lines, *rest, "", NO_LLM])


def _report(result: ToolResult) -> str:
    text, origin = _unwrapped(result.text)
    source = f"{result.name} ({origin})" if origin else result.name
    if result.is_error or ERROR.match(text):
        return _report_error(source, ERROR.sub("", text).strip())
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return f"{source} says:\n{_cut(text.strip(), MAX_TEXT_CHARS) or '(nothing)'}"
    return "\n".join([f"{source} says:", *_lines(value)])


def _unwrapped(text: str) -> tuple[str, str]:
    """The tool's own text, and where it comes from."""
    found = WRAPPED.search(text)
    if found is None:
        return text, ""
    attributes = dict(ATTRIBUTE.findall(found.group(1)))
    places = [html.unescape(attributes.get(key, "")) for key in ("app", "device")]
    return found.group(2).strip("\n"), " on ".join(place for place in places if place)


def _report_error(source: str, text: str) -> str:
    """A refusal in words; AUTH_REQUIRED says what the user has to do."""
    code, message, hint = _error_parts(text)
    told = " ".join(part for part in (message, hint) if part)
    if code == "AUTH_REQUIRED":
        return (
            f"{source} needs your permission first. {told or 'Open the app on the phone and allow access'}".rstrip(".")
            + ". Then ask again."
        )
    return f"{source} could not answer: {told or 'it gave no reason'}{f' ({code})' if code else ''}"


def _error_parts(text: str) -> tuple[str, str, str]:
    """Code, message and hint, from JSON or from text that begins with the code."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        value = None
    if isinstance(value, dict):
        named = {key: str(value.get(key) or "") for key in ("code", "error_code", "message", "error", "hint")}
        hint = named["hint"] or str(value.get("resolution_hint") or "")
        return named["code"] or named["error_code"], named["message"] or named["error"], hint
    found = CODE.match(text)
    message = _cut(CODE.sub("", text) if found else text, MAX_TEXT_CHARS)
    return found.group(1) if found else "", message, ""


def _lines(value: Any) -> list[str]:
    if isinstance(value, list):
        return _entries(value)
    if not isinstance(value, dict):
        return [f"- {_short(value)}"]
    lines: list[str] = []
    for key, inner in list(value.items())[:MAX_ENTRIES]:
        if isinstance(inner, list) and inner and any(isinstance(item, dict | list) for item in inner):
            lines += [f"{key}:", *_entries(inner)]
        else:
            lines.append(f"- {key}: {_short(inner)}")
    return [*lines, *_more(len(value))] or ["- (nothing)"]


def _entries(values: list[Any]) -> list[str]:
    if not values:
        return ["- (nothing found)"]
    return [*(f"- {_short(value)}" for value in values[:MAX_ENTRIES]), *_more(len(values))]


def _more(count: int) -> list[str]:
    return [f"- … and {count - MAX_ENTRIES} more"] if count > MAX_ENTRIES else []


def _short(value: Any, depth: int = 0) -> str:
    """One value on one line: texts bare, objects as `key: value, …`."""
    if isinstance(value, str):
        return _cut(_one_line(value), MAX_VALUE_CHARS)
    if isinstance(value, dict) and depth < 2:
        parts = [f"{key}: {_short(inner, depth + 1)}" for key, inner in value.items() if inner is not None]
        return _cut(", ".join(parts), 2 * MAX_VALUE_CHARS) or "(nothing)"
    if isinstance(value, list) and depth < 2:
        return _cut("; ".join(_short(inner, depth + 1) for inner in value), MAX_VALUE_CHARS) or "(none)"
    return _cut(msgspec.json.encode(value).decode(), MAX_VALUE_CHARS)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
