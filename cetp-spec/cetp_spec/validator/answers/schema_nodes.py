"""Walks a JSON Schema by its keywords: which values inside it are schemas themselves, and where they stand."""

from collections.abc import Iterator
from typing import Any

import msgspec

_ONE = """
additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems
unevaluatedProperties
"""
ONE = frozenset(_ONE.split())
SEVERAL = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
BY_NAME = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})
IN_PLACE = frozenset({"allOf", "anyOf", "dependentSchemas", "else", "if", "not", "oneOf", "then"})
"""Keywords whose schemas look at the same value as the schema they stand in."""

Keys = tuple[str | int, ...]


class Node(msgspec.Struct, frozen=True):
    """One schema inside a schema: an object, a boolean, or whatever else stands in a schema's place."""

    keys: Keys
    """From the root; empty for the root itself."""
    keyword: str
    """The keyword it belongs to; empty for the root."""
    schema: Any


def nodes(root: Any) -> Iterator[Node]:
    """The root and all schemas inside it, parents first, without recursion."""
    stack = [Node((), "", root)]
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(list(children(node)))


def children(node: Node) -> Iterator[Node]:
    """The schemas directly inside one; nothing for what is no object."""
    if not isinstance(node.schema, dict):
        return
    for keyword, value in node.schema.items():
        if keyword in ONE:
            yield Node((*node.keys, keyword), keyword, value)
        elif keyword in SEVERAL and isinstance(value, list):
            yield from (Node((*node.keys, keyword, index), keyword, item) for index, item in enumerate(value))
        elif keyword in BY_NAME and isinstance(value, dict):
            yield from (Node((*node.keys, keyword, name), keyword, item) for name, item in value.items())


def depth_of(value: Any, limit: int) -> int:
    """Nesting of a JSON value, counted up to `limit` + 1; 0 for a scalar."""
    level: list[Any] = [value]
    depth = 0
    while depth <= limit:
        level = [item for value in level for item in _items(value)]
        if not level:
            return depth
        depth += 1
    return depth


def _items(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
