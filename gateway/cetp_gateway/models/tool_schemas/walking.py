"""Where schemas lie within a schema (JSON Schema core 10 and 11), for those that look or rewrite."""

from collections.abc import Callable, Iterator
from typing import Any, Final

Schema = dict[str, Any]

SINGLE: Final = frozenset(
    {
        "additionalItems",
        "additionalProperties",
        "contains",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
"""Keywords that hold one schema."""
LISTS: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
"""Keywords that hold a list of schemas."""
MAPS: Final = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})
"""Keywords that hold schemas by name."""
IN_PLACE: Final = ("allOf", "anyOf", "oneOf", "if", "then", "else", "not")
"""Keywords whose schemas look at the same value as the schema around them."""

MAX_DEPTH: Final = 64
"""Levels of nesting; deeper schemas are not adapted. Tools of phones are held to less when they register."""


class Unadaptable(Exception):
    """A schema that this vendor cannot be given; the text says why, about `it`, the tool's schema."""


def children(schema: Any) -> Iterator[Any]:
    """The schemas right below this one."""
    if not isinstance(schema, dict):
        return
    for keyword, value in schema.items():
        if keyword in SINGLE and isinstance(value, dict | bool):
            yield value
        elif keyword in LISTS | {"items"} and isinstance(value, list):
            yield from value
        elif keyword in MAPS and isinstance(value, dict):
            yield from value.values()


def all_schemas(root: Any) -> Iterator[Schema]:
    """Every object schema in a document, the root first.

    Raises:
        Unadaptable: nested deeper than MAX_DEPTH.
    """
    waiting = [(root, 0)]
    while waiting:
        schema, depth = waiting.pop()
        if depth > MAX_DEPTH:
            raise Unadaptable(f"it is nested deeper than {MAX_DEPTH} levels")
        if isinstance(schema, dict):
            yield schema
            waiting.extend((child, depth + 1) for child in children(schema))


def map_children(schema: Schema, change: Callable[[Any], Any]) -> Schema:
    """A copy of the schema with `change` applied to the schemas right below it."""
    changed: Schema = {}
    for keyword, value in schema.items():
        if keyword in SINGLE and isinstance(value, dict | bool):
            changed[keyword] = change(value)
        elif keyword in LISTS | {"items"} and isinstance(value, list):
            changed[keyword] = [change(item) for item in value]
        elif keyword in MAPS and isinstance(value, dict):
            changed[keyword] = {name: change(item) for name, item in value.items()}
        else:
            changed[keyword] = value
    return changed
