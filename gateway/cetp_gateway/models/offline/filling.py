"""Arguments for a call, from the tool's schema and the question's own words. What is not there is not invented."""

from collections.abc import Set
from typing import Any, Final

import msgspec

from cetp_gateway.api import ToolSpec
from cetp_gateway.models.offline.hints import choices_of, clamped, hinted_values, is_day, kind_of
from cetp_gateway.models.offline.question import Question
from cetp_gateway.models.tool_schemas import PORTABLE, Unadaptable, adapt_schema
from cetp_gateway.models.words import name_words, words_of

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


def fill_arguments(tool: ToolSpec, question: Question, others: Set[str] = frozenset()) -> Filled:
    """Arguments for this tool. Optional ones are only set when the question plainly gives them.

    `others` are words of the question that another tool answers; they are not searched for here.
    """
    try:
        schema, _ = adapt_schema(tool.parameters, PORTABLE)
    except Unadaptable as reason:
        return Filled(missing=str(reason))
    known = {*name_words(tool.name), *words_of(tool.description), *others}
    required = list(schema.get("required", []))
    problem = ""
    for further in _alternatives(tool.parameters):
        try:
            return Filled(_Filler(question, set(known)).object(schema, [*required, *further], 0))
        except _Unknown as unknown:
            problem = problem or str(unknown)
    return Filled(missing=problem)


def takes_text(tool: ToolSpec) -> bool:
    """The tool has an argument for words to look for."""
    properties = tool.parameters.get("properties", {})
    return isinstance(properties, dict) and any(_name_words(name) & SEARCH_WORDS for name in properties)


def _alternatives(parameters: dict[str, Any]) -> list[list[str]]:
    """What a choice at the root requires besides, one list per branch; one empty list without a choice."""
    branches = parameters.get("anyOf") or parameters.get("oneOf") or []
    given = branches if isinstance(branches, list) else []
    lists = [branch.get("required") for branch in given if isinstance(branch, dict)]
    found = [[name for name in names if isinstance(name, str)] for names in lists if isinstance(names, list)]
    return found or [[]]


class _Filler:
    """Fills one tool's schema from one question. `known` words are no search terms: the tool's own, and used ones."""

    def __init__(self, question: Question, known: set[str]) -> None:
        self._question = question
        self._known = known
        self._numbers = list(question.numbers)

    def object(self, schema: dict[str, Any], required: list[str], depth: int) -> dict[str, Any]:
        """Free text comes last: what other arguments have used is not searched for."""
        properties = schema.get("properties", {})
        arguments: dict[str, Any] = {}
        for name in sorted(properties, key=lambda name: bool(_name_words(name) & SEARCH_WORDS)):
            value = self._evident(name, properties[name])
            self._known.update(words_of(str(value).replace("_", " ")))
            if value is None and name in required:
                value = self._needed(name, properties[name], depth)
            if value is not None:
                arguments[name] = value
        unknown = [name for name in required if name not in arguments]
        if unknown:
            raise _Unknown(unknown[0])
        return {name: arguments[name] for name in properties if name in arguments}

    def _evident(self, name: str, schema: Any) -> Any:
        """A value that the question plainly gives; None when it does not."""
        if not isinstance(schema, dict):
            return None
        if choices := choices_of(schema):
            return self._said(choices)
        return self._evident_by_kind(name, kind_of(schema), schema)

    def _evident_by_kind(self, name: str, kind: str, schema: dict[str, Any]) -> Any:
        words = _name_words(name)
        if kind == "string":
            return self._evident_text(words, schema)
        if kind in ("integer", "number") and (words & COUNT_WORDS or self._question.says(name)):
            return self._number(kind, schema)
        return True if kind == "boolean" and self._question.says(name) else None

    def _evident_text(self, words: set[str], schema: dict[str, Any]) -> str | None:
        hinted = self._said(hinted_values(schema))
        if hinted is not None:
            return str(hinted)
        if is_day(schema, words):
            return self._day(schema) if self._question.day else None
        if words & SEARCH_WORDS:
            return self._question.quoted or self._question.keywords(self._known) or None
        return None

    def _said(self, values: list[Any]) -> Any:
        """The longest of the values that stands in the question."""
        said = [value for value in values if self._question.says(str(value))]
        return max(said, key=lambda value: len(str(value)), default=None)

    def _needed(self, name: str, schema: Any, depth: int) -> Any:
        """A value for a required argument; raises _Unknown rather than inventing one."""
        if not isinstance(schema, dict) or depth > MAX_DEPTH:
            raise _Unknown(name)
        if "default" in schema:
            return schema["default"]
        if choices := choices_of(schema):
            return choices[0]
        return self._by_kind(name, kind_of(schema), schema, depth)

    def _by_kind(self, name: str, kind: str, schema: dict[str, Any], depth: int) -> Any:
        words = _name_words(name)
        if kind == "string":
            return self._day(schema) if is_day(schema, words) else self._text(name, words)
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

    def _text(self, name: str, words: set[str]) -> str:
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
            return clamped(USUAL_COUNT, schema)
        raise _Unknown(name)

    def _number(self, kind: str, schema: dict[str, Any]) -> int | float | None:
        """The question's next number that fits; each is used once."""
        for number in self._numbers:
            if len(str(number)) <= MAX_DIGITS and (kind == "number" or isinstance(number, int)):
                self._numbers.remove(number)
                return clamped(number, schema)
        return None


def _name_words(name: str) -> set[str]:
    return {*name_words(name), name.lower()}
