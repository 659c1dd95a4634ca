"""Arguments for a call, from the tool's schema and the question's own words. What is not there is not invented."""

from typing import Any, Final

import msgspec

from cetp_gateway.api import ToolSpec
from cetp_gateway.models.offline.question import Question
from cetp_gateway.models.tool_schemas import PORTABLE, Unadaptable, adapt_schema
from cetp_gateway.models.words import words_of

DAY_WORDS: Final = frozenset({"day", "date", "when", "since", "until", "start", "end", "from"})
SEARCH_WORDS: Final = frozenset(
    {"query", "q", "text", "keyword", "search", "term", "filter", "name", "title", "topic", "question"}
)
COUNT_WORDS: Final = frozenset({"limit", "count", "max", "top", "number", "size", "n"})
USUAL_COUNT: Final = 10
MAX_DEPTH: Final = 4
MAX_DIGITS: Final = 30


class Filled(msgspec.Struct, frozen=True):
    """Arguments, or the name of the first one that the question does not give."""

    arguments: dict[str, Any] = {}
    missing: str = ""


class _Unknown(Exception):
    """The question does not say what this argument is."""


def fill_arguments(tool: ToolSpec, question: Question) -> Filled:
    """Arguments for this tool. Optional ones are only set when the question plainly gives them."""
    try:
        schema, _ = adapt_schema(tool.parameters, PORTABLE)
    except Unadaptable as reason:
        return Filled(missing=str(reason))
    filler = _Filler(question, set(words_of(f"{tool.name.replace('_', ' ')} {tool.description}")))
    required = list(schema.get("required", []))
    problem = ""
    for further in _alternatives(tool.parameters):
        try:
            return Filled(filler.object(schema, [*required, *further], 0))
        except _Unknown as unknown:
            problem = problem or str(unknown)
    return Filled(missing=problem)


def _alternatives(parameters: dict[str, Any]) -> list[list[str]]:
    """What a choice at the root requires besides, one list per branch; one empty list without a choice."""
    branches = parameters.get("anyOf") or parameters.get("oneOf") or []
    lists = [branch.get("required") for branch in branches if isinstance(branch, dict)]
    found = [[name for name in names if isinstance(name, str)] for names in lists if isinstance(names, list)]
    return found or [[]]


class _Filler:
    """Fills schemas from one question. `known` are the tool's own words: they are no search terms."""

    def __init__(self, question: Question, known: set[str]) -> None:
        self._question = question
        self._known = known
        self._numbers = list(question.numbers)

    def object(self, schema: dict[str, Any], required: list[str], depth: int) -> dict[str, Any]:
        self._numbers = list(self._question.numbers) if depth == 0 else self._numbers
        properties = schema.get("properties", {})
        arguments: dict[str, Any] = {}
        for name, inner in properties.items():
            value = self._evident(name, inner)
            if value is None and name in required:
                value = self._needed(name, inner, depth)
            if value is not None:
                arguments[name] = value
        unknown = [name for name in required if name not in arguments]
        if unknown:
            raise _Unknown(unknown[0])
        return arguments

    def _evident(self, name: str, schema: Any) -> Any:
        """A value that the question plainly gives; None when it does not."""
        if not isinstance(schema, dict):
            return None
        if choices := _choices(schema):
            return next((value for value in choices if self._question.says(str(value))), None)
        return self._evident_by_kind(name, _kind(schema), schema)

    def _evident_by_kind(self, name: str, kind: str, schema: dict[str, Any]) -> Any:
        words = _name_words(name)
        if kind == "string" and _is_day(schema, words):
            return self._day(schema) if self._question.day else None
        if kind == "string" and words & SEARCH_WORDS:
            return self._question.quoted or self._question.keywords(self._known) or None
        if kind in ("integer", "number") and (words & COUNT_WORDS or self._question.says(name)):
            return self._number(kind, schema)
        return True if kind == "boolean" and self._question.says(name) else None

    def _needed(self, name: str, schema: Any, depth: int) -> Any:
        """A value for a required argument; raises _Unknown rather than inventing one."""
        if not isinstance(schema, dict) or depth > MAX_DEPTH:
            raise _Unknown(name)
        if "default" in schema:
            return schema["default"]
        if choices := _choices(schema):
            return choices[0]
        return self._by_kind(name, _kind(schema), schema, depth)

    def _by_kind(self, name: str, kind: str, schema: dict[str, Any], depth: int) -> Any:
        words = _name_words(name)
        if kind == "string":
            return self._day(schema) if _is_day(schema, words) else self._string(name, words)
        if kind in ("integer", "number"):
            return self._counted(name, kind, schema, words)
        if kind == "boolean":
            return False
        if kind == "array":
            inner = schema.get("items", {})
            return [self._evident(name, inner) or self._needed(name, inner or {"type": "string"}, depth + 1)]
        if kind == "object":
            return self.object(schema, list(schema.get("required", [])), depth + 1)
        raise _Unknown(name)

    def _string(self, name: str, words: set[str]) -> str:
        if "id" in words or name.lower().endswith("id"):
            value = self._question.quoted or self._question.identifier
        else:
            value = self._question.quoted or self._question.keywords(self._known) or self._question.keywords(set())
        if not value:
            raise _Unknown(name)
        return value

    def _day(self, schema: dict[str, Any]) -> str:
        day = self._question.day_or_today.isoformat()
        return f"{day}T00:00:00Z" if schema.get("format") == "date-time" else day

    def _counted(self, name: str, kind: str, schema: dict[str, Any], words: set[str]) -> int | float:
        number = self._number(kind, schema)
        if number is not None:
            return number
        if words & COUNT_WORDS:
            return _clamped(USUAL_COUNT, schema)
        raise _Unknown(name)

    def _number(self, kind: str, schema: dict[str, Any]) -> int | float | None:
        """The question's next number that fits; each is used once."""
        for number in self._numbers:
            if len(str(number)) <= MAX_DIGITS and (kind == "number" or isinstance(number, int)):
                self._numbers.remove(number)
                return _clamped(number, schema)
        return None


def _choices(schema: dict[str, Any]) -> list[Any]:
    """Allowed values, when they are listed."""
    if "const" in schema:
        return [schema["const"]]
    values = schema.get("enum", [])
    return [value for value in values if value not in (None, "")] if isinstance(values, list) else []


def _kind(schema: dict[str, Any]) -> str:
    """The first type that is not null; of alternatives, that of the first one."""
    types = schema.get("type")
    named = [name for name in (types if isinstance(types, list) else [types]) if name and name != "null"]
    if named:
        return str(named[0])
    options = [option for key in ("anyOf", "oneOf", "allOf") for option in schema.get(key, []) or []]
    kinds = [_kind(option) for option in options if isinstance(option, dict) and option.get("type") != "null"]
    return kinds[0] if kinds else "object" if "properties" in schema else "string"


def _name_words(name: str) -> set[str]:
    return set(words_of(name.replace("_", " "))) | {name.lower()}


def _is_day(schema: dict[str, Any], words: set[str]) -> bool:
    return schema.get("format") in ("date", "date-time") or bool(words & DAY_WORDS)


def _clamped(number: int | float, schema: dict[str, Any]) -> int | float:
    low, high = schema.get("minimum"), schema.get("maximum")
    if isinstance(low, int | float) and number < low:
        number = low
    if isinstance(high, int | float) and number > high:
        number = high
    return number
