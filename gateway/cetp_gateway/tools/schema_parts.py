"""Where a JSON Schema holds further schemas, and to which part of a value each of them applies.

JSON Schema 2020-12, core 10.2 and 10.3. Knows nothing of references.
"""

from collections.abc import Iterator
from enum import Enum
from typing import Any


class Place(Enum):
    """The part of a value that a subschema judges, besides a named property (a plain str)."""

    SAME = "same"
    """The value itself."""
    ITEM = "item"
    ANY_PROPERTY = "any property"
    NOWHERE = "nowhere"
    """A definition: judges only through a reference."""


Where = Place | str
Part = tuple[str, Where, Any]
"""Pointer of the subschema within its parent, what it judges, and the subschema."""

_ONE = {
    "not": Place.SAME,
    "if": Place.SAME,
    "then": Place.SAME,
    "else": Place.SAME,
    "items": Place.ITEM,
    "contains": Place.ITEM,
    "unevaluatedItems": Place.ITEM,
    "additionalProperties": Place.ANY_PROPERTY,
    "unevaluatedProperties": Place.ANY_PROPERTY,
    "propertyNames": Place.ANY_PROPERTY,
    "contentSchema": Place.NOWHERE,
}
_LIST = {"allOf": Place.SAME, "anyOf": Place.SAME, "oneOf": Place.SAME, "prefixItems": Place.ITEM}
_MAP = {
    "dependentSchemas": Place.SAME,
    "dependencies": Place.SAME,
    "patternProperties": Place.ANY_PROPERTY,
    "$defs": Place.NOWHERE,
    "definitions": Place.NOWHERE,
}


def parts(schema: dict[str, Any]) -> Iterator[Part]:
    """The subschemas of a schema: objects only, since `true` and `false` hold nothing."""
    for keyword, value in schema.items():
        if type(value) is dict:
            if keyword == "properties":
                for name, part in value.items():
                    if type(part) is dict:
                        yield f"properties/{escape(name)}", name, part
            elif keyword in _ONE:
                yield keyword, _ONE[keyword], value
            elif keyword in _MAP:
                for name, part in value.items():
                    if type(part) is dict:
                        yield f"{keyword}/{escape(name)}", _MAP[keyword], part
        elif type(value) is list and keyword in _LIST:
            for number, part in enumerate(value):
                if type(part) is dict:
                    yield f"{keyword}/{number}", _LIST[keyword], part


def every_part(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schema and all schemas within it, definitions included."""
    waiting = [schema]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(part for _, _, part in parts(current))


def escape(name: str) -> str:
    """A name as a token of a JSON pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")


def depth_of(value: Any) -> int:
    """How deep a decoded JSON value is nested; 0 for a text or number."""
    depth, level = 0, [value]
    while level := [part for part in level if type(part) is dict or type(part) is list]:
        depth += 1
        level = [inner for part in level for inner in (part.values() if type(part) is dict else part)]
    return depth
