"""References within a schema: found, checked for loops, written out to a fixed depth. Never fetched."""

from typing import Any, Final
from urllib.parse import unquote

from cetp_gateway.models.tool_schemas.walking import IN_PLACE, Schema, Unadaptable, all_schemas, map_children

MAX_OPEN: Final = 3
"""So many times one reference is written out within itself; then the schema is cut."""
MAX_WRITTEN: Final = 4000
"""Schemas that writing out may make of one tool; more would cost more tokens than the tool is worth."""
ANNOTATIONS: Final = frozenset({"default", "deprecated", "description", "examples", "title"})


class References:
    """The references of one document."""

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._sound: set[str] = set()
        self._left = MAX_WRITTEN

    def check(self) -> None:
        """Make sure that every reference leads somewhere and none only to itself; raises Unadaptable."""
        for schema in all_schemas(self._root):
            if "$dynamicRef" in schema or "$recursiveRef" in schema:
                raise Unadaptable("it uses dynamic references, which models do not understand")
            if "$ref" in schema:
                self._follow(schema["$ref"], ())

    def _follow(self, reference: Any, opened: tuple[str, ...]) -> None:
        if not isinstance(reference, str):
            raise Unadaptable("it has a reference that is no text")
        if reference in self._sound:
            return
        if reference in opened:
            raise Unadaptable(f"its reference {reference} leads back to itself")
        for schema in _in_place(self.find(reference)):
            if "$ref" in schema:
                self._follow(schema["$ref"], (*opened, reference))
        self._sound.add(reference)

    def find(self, reference: Any) -> Any:
        """The schema that a reference means; raises Unadaptable when it is not in this document."""
        if not isinstance(reference, str) or not reference.startswith("#"):
            raise Unadaptable(f"it refers to another document: {reference!r}")
        pointer = unquote(reference[1:])
        if pointer and not pointer.startswith("/"):
            return self._anchor(reference, pointer)
        found: Any = self._root
        for token in pointer.split("/")[1:]:
            found = _step(found, token.replace("~1", "/").replace("~0", "~"), reference)
        if not isinstance(found, dict | bool):
            raise _dangling(reference)
        return found

    def _anchor(self, reference: str, name: str) -> Schema:
        for schema in all_schemas(self._root):
            if schema.get("$anchor") == name:
                return schema
        raise _dangling(reference)

    def write_out(self) -> Schema:
        """The document without references: each in its place, recursive ones cut; raises Unadaptable."""
        written = self._write(self._root, ())
        return written if isinstance(written, dict) else {}

    def _write(self, schema: Any, opened: tuple[str, ...]) -> Any:
        self._left -= 1
        if self._left < 0:
            raise Unadaptable(f"its references written out make more than {MAX_WRITTEN} schemas")
        if not isinstance(schema, dict):
            return schema
        here = {key: value for key, value in schema.items() if key not in ("$defs", "definitions", "$anchor")}
        if "$ref" not in here:
            return map_children(here, lambda child: self._write(child, opened))
        reference = here.pop("$ref")
        target = self.find(reference)
        if opened.count(reference) >= MAX_OPEN:
            return {**_outline(target), **_annotations(here)}
        return self._write(beside(target, here), (*opened, reference))


def beside(target: Any, siblings: Schema) -> Schema:
    """One schema for a reference's target and what stands next to the reference (core 8.2.3.1)."""
    if not isinstance(target, dict):
        return siblings
    if all(key in ANNOTATIONS or key not in target for key in siblings):
        return {**target, **siblings}
    rest = {key: value for key, value in siblings.items() if key not in ANNOTATIONS}
    return {"allOf": [target, rest], **_annotations(siblings)}


def _in_place(schema: Any) -> list[Schema]:
    """The schema and those within it that look at the same value."""
    found: list[Schema] = []
    waiting = [schema]
    while waiting:
        current = waiting.pop()
        if isinstance(current, dict):
            found.append(current)
            for keyword in IN_PLACE:
                value = current.get(keyword)
                waiting.extend(value if isinstance(value, list) else [value])
    return found


def _step(found: Any, token: str, reference: str) -> Any:
    if isinstance(found, dict) and token in found:
        return found[token]
    if isinstance(found, list) and token.isdecimal() and int(token) < len(found):
        return found[int(token)]
    raise _dangling(reference)


def _dangling(reference: str) -> Unadaptable:
    return Unadaptable(f"its reference {reference} leads nowhere")


def _outline(target: Any) -> Schema:
    """What is left of a recursive schema where it is cut."""
    if not isinstance(target, dict):
        return {}
    return {key: target[key] for key in ("type", "description", "title") if key in target}


def _annotations(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key in ANNOTATIONS}
