"""Rules for `$ref` in a tool's schema: it leads somewhere inside the schema, and an end can be reached (spec 7.3).

Nothing is ever fetched. Neither a loop nor a dangling reference is against the meta-schema; both break consumers at
run time, which is why they are looked for here.
"""

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from cetp_spec.validator.answers.schema_nodes import IN_PLACE, Keys, Node, children, nodes
from cetp_spec.validator.problem import Place, Problem
from cetp_spec.validator.rules import problem
from cetp_spec.validator.text import quoted

MAX_EXPANDED = 10_000
"""Schemas after every reference has been written out."""


class References:
    """The references of one schema, resolved."""

    def __init__(self, root: Any) -> None:
        self._root = Node((), "", root)
        self._anchors: dict[str, Node] = {}
        self.all: list[Node] = []
        """Schemas with a `$ref`."""
        for node in nodes(root):
            if isinstance(node.schema, dict):
                if isinstance(node.schema.get("$ref"), str):
                    self.all.append(node)
                anchor = node.schema.get("$anchor")
                if isinstance(anchor, str):
                    self._anchors.setdefault(anchor, node)

    def target(self, node: Node) -> Node | None:
        """Where the node's `$ref` leads inside the schema, or None."""
        reference = node.schema["$ref"]
        if not reference.startswith("#"):
            return None
        fragment = unquote(reference[1:])
        if fragment and not fragment.startswith("/"):
            return self._anchors.get(fragment)
        return self._at(fragment)

    def _at(self, fragment: str) -> Node | None:
        value = self._root.schema
        keys: list[str | int] = []
        for step in fragment.split("/")[1:]:
            key = step.replace("~1", "/").replace("~0", "~")
            if isinstance(value, dict) and key in value:
                value = value[key]
                keys.append(key)
            elif isinstance(value, list) and key.isascii() and key.isdigit() and len(key) < 7 and int(key) < len(value):
                value = value[int(key)]
                keys.append(int(key))
            else:
                return None
        return Node(tuple(keys), self._root.keyword, value) if isinstance(value, dict | bool) else None


def reference_problems(schema: dict[str, Any], place: Place) -> Iterator[Problem]:
    """All faults of the schema's references; `place` is the schema's."""
    references = References(schema)
    broken = False
    for node in references.all:
        reference = node.schema["$ref"]
        where = place.below(*node.keys, "$ref")
        if not reference.startswith("#"):
            yield problem("tool.schema.ref-remote", where, f"{quoted(reference)} leads out of the schema")
            broken = True
        elif references.target(node) is None:
            yield problem("tool.schema.ref-dangling", where, f"{quoted(reference)} leads nowhere")
            broken = True
    if references.all and not broken:
        yield from _ends(references, schema, place)


def _ends(references: References, schema: dict[str, Any], place: Place) -> Iterator[Problem]:
    loop, _ = _explore(references, schema, in_place=True)
    if loop is not None:
        message = "this reference comes back to itself without going into any value"
        yield problem("tool.schema.ref-loop", place.below(*loop), message)
        return
    cycle, size = _explore(references, schema, in_place=False)
    if cycle is not None:
        message = "the schema contains itself; vendors that want references written out are given a cut one"
        yield problem("tool.schema.ref-recursive", place.below(*cycle), message)
    elif size > MAX_EXPANDED:
        message = f"written out, its references make {size} schemas; {MAX_EXPANDED} are the limit"
        yield problem("tool.schema.ref-explosion", place, message)


def _explore(references: References, schema: dict[str, Any], *, in_place: bool) -> tuple[Keys | None, int]:
    """The place where a cycle closes, if any, and the number of schemas once all references are written out.

    Depth first without recursion; with `in_place` only edges that stay at the same value are followed.
    """
    sizes: dict[Keys, int] = {}
    for start in nodes(schema) if in_place else iter([Node((), "", schema)]):
        if start.keys in sizes:
            continue
        running = {start.keys: 1}
        stack = [(start, _edges(references, start, in_place=in_place))]
        while stack:
            node, edges = stack[-1]
            child = next(edges, None)
            if child is None:
                stack.pop()
                sizes[node.keys] = running.pop(node.keys)
                if stack:
                    running[stack[-1][0].keys] += sizes[node.keys]
            elif child.keys in running:
                return node.keys, 0
            elif child.keys in sizes:
                running[node.keys] += sizes[child.keys]
            else:
                running[child.keys] = 1
                stack.append((child, _edges(references, child, in_place=in_place)))
    return None, sizes[()]


def _edges(references: References, node: Node, *, in_place: bool) -> Iterator[Node]:
    if isinstance(node.schema, dict) and isinstance(node.schema.get("$ref"), str):
        target = references.target(node)
        if target is not None:
            yield target
    for child in children(node):
        if child.keyword in IN_PLACE or (not in_place and child.keyword not in ("$defs", "definitions")):
            yield child
