"""Where a JSON Schema holds further schemas, and to which part of a value each of them applies.

JSON Schema 2020-12, core 10.2 and 10.3. Knows nothing of references.
"""

from collections.abc import Iterator
from enum import Enum
from typing import Any


class Where(Enum):
    """The part of a value that a subschema judges."""

    HERE = "here"
    """The value itself."""
    WITHIN = "within"
    """A property or an item."""
    NOWHERE = "nowhere"
    """A definition: judges only through a reference."""


_ONE = {
    "not": Where.HERE,
    "if": Where.HERE,
    "then": Where.HERE,
    "else": Where.HERE,
    "items": Where.WITHIN,
    "contains": Where.WITHIN,
    "unevaluatedItems": Where.WITHIN,
    "additionalProperties": Where.WITHIN,
    "unevaluatedProperties": Where.WITHIN,
    "propertyNames": Where.WITHIN,
    "contentSchema": Where.NOWHERE,
}
_LIST = {"allOf": Where.HERE, "anyOf": Where.HERE, "oneOf": Where.HERE, "prefixItems": Where.WITHIN}
_MAP = {
    "properties": Where.WITHIN,
    "dependentSchemas": Where.HERE,
    "dependencies": Where.HERE,
    "patternProperties": Where.WITHIN,
    "$defs": Where.NOWHERE,
    "definitions": Where.NOWHERE,
}


def parts(schema: dict[str, Any]) -> Iterator[tuple[Where, dict[str, Any]]]:
    """The subschemas of a schema, each with what it judges: objects only, since `true` and `false` hold nothing."""
    for keyword, value in schema.items():
        if type(value) is dict:
            if keyword in _ONE:
                yield _ONE[keyword], value
            elif keyword in _MAP:
                for part in value.values():
                    if type(part) is dict:
                        yield _MAP[keyword], part
        elif type(value) is list and keyword in _LIST:
            for part in value:
                if type(part) is dict:
                    yield _LIST[keyword], part


def every_part(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schema and all schemas within it, definitions included."""
    waiting = [schema]
    while waiting:
        current = waiting.pop()
        yield current
        # As `parts` does, but three times faster: a large schema is walked several times in one go.
        for keyword, value in current.items():
            if type(value) is dict:
                if keyword in _ONE:
                    waiting.append(value)
                elif keyword in _MAP:
                    waiting += [part for part in value.values() if type(part) is dict]
            elif type(value) is list and keyword in _LIST:
                waiting += [part for part in value if type(part) is dict]


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
