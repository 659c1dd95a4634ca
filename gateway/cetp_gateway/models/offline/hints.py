"""What a schema lets one guess about an argument: its kind, its allowed values, values that its text names."""

import re
from typing import Any, Final

DAY_WORDS: Final = frozenset({"day", "date", "when", "since", "until", "start", "end", "from"})
EXAMPLES: Final = re.compile(
    r"(?:for (?:instance|example)|such as|e\.g\.|like|例如|比如)[:,]?\s*([^.;)。；]{1,200})", re.IGNORECASE
)
SEPARATOR: Final = re.compile(r",|/|、|\bor\b|\band\b")
CODE_WORD: Final = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
ALTERNATIVES: Final = re.compile(r"[a-z_]{3,40}(?=[|)])")
MAX_VALUES: Final = 40
MAX_EXAMPLE_CHARS: Final = 40


def kind_of(schema: dict[str, Any]) -> str:
    """The first type that is not null; of alternatives, that of the first one."""
    types = schema.get("type")
    named = [name for name in (types if isinstance(types, list) else [types]) if name and name != "null"]
    if named:
        return str(named[0])
    options = [option for key in ("anyOf", "oneOf", "allOf") for option in schema.get(key, []) or []]
    kinds = [kind_of(option) for option in options if isinstance(option, dict) and option.get("type") != "null"]
    if kinds:
        return kinds[0]
    return "object" if "properties" in schema else "string"


def choices_of(schema: dict[str, Any]) -> list[Any]:
    """Allowed values, when they are listed."""
    if "const" in schema:
        return [schema["const"]]
    values = schema.get("enum", [])
    return [value for value in values if value not in (None, "")] if isinstance(values, list) else []


def hinted_values(schema: dict[str, Any]) -> list[str]:
    """Values that examples, the description or the pattern name."""
    given = schema.get("examples", [])
    values = [value for value in given if isinstance(value, str)] if isinstance(given, list) else []
    description = _text(schema, "description")
    for listed in EXAMPLES.findall(description):
        values += [part.strip(" \"'“”") for part in SEPARATOR.split(listed)]
    values += CODE_WORD.findall(description) + ALTERNATIVES.findall(_text(schema, "pattern"))
    return [value for value in dict.fromkeys(values) if 0 < len(value) <= MAX_EXAMPLE_CHARS][:MAX_VALUES]


def is_day(schema: dict[str, Any], words: set[str]) -> bool:
    """The argument is a day, by its format, its name (as words) or its description."""
    in_words = "YYYY-MM-DD" in _text(schema, "description")
    return schema.get("format") in ("date", "date-time") or bool(words & DAY_WORDS) or in_words


def clamped(number: int | float, schema: dict[str, Any]) -> int | float:
    """The number within the schema's bounds."""
    low, high = schema.get("minimum"), schema.get("maximum")
    if isinstance(low, int | float) and number < low:
        number = low
    if isinstance(high, int | float) and number > high:
        number = high
    return number


def _text(schema: dict[str, Any], key: str) -> str:
    value = schema.get(key)
    return value[:2000] if isinstance(value, str) else ""
