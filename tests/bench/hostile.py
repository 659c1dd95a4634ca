"""Registrations and arguments made to stop an event loop: what has frozen validators, and plainly large input."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import Raw

from .processes.toolset import schema

CALLED = "called"
"""The tool that a case calls."""

_encode = msgspec.json.Encoder().encode


class Case(msgspec.Struct, frozen=True):
    """One registration, and a call if there are arguments."""

    name: str
    tools: Any
    """A list, as a device would send it, or raw JSON in its place."""
    arguments: Any = None


def cases(turn: int) -> Iterator[Case]:
    """All cases. In each turn the schemas mean something else, so that none is known already."""
    yield from _registrations(turn)
    yield from _patterns(turn)
    yield from _references(turn)
    yield from _sizes(turn)


def _registrations(turn: int) -> Iterator[Case]:
    yield Case("1024 tools in one frame", _tools(1024, lambda n: schema(1024 * turn + n + 1)))
    yield Case("1024 tools with patterns and references", _tools(1024, lambda n: _referring(1024 * turn + n)))
    yield Case("1024 tools to repair", _tools(1024, lambda n: {"properties": {f"a{turn}x{n}": {}}}))
    yield Case("1024 tools with odd names", _tools(1024, schema, "tö ol {}"))
    yield Case("60 schemas of 60 KB", _tools(60, lambda n: _wide(f"{turn}x{n}", 1100)))
    yield Case("60 schemas of 60 KB with references", _tools(60, lambda n: _wide(f"{turn}x{n}", 1100, references=60)))
    yield Case("a schema of 4000 levels", [_tool("deep", Raw(b'{"not":' * 4000 + b"{}" + b"}" * 4000))])
    yield Case("a million entries that are no tools", Raw(b"[" + b"0," * 1_000_000 + b"0]"))
    yield Case("a description of 3 MB", [_tool("long", schema(turn), description="x" * 3_000_000)])


def _patterns(turn: int) -> Iterator[Case]:
    for name, pattern in {
        "nested repetition": "^(a+)+$",
        "back-reference": r"^(a+)+\1$",
        "look-ahead": "(?=.*c)(a|b)*c",
        "many states": "(?:[ab]{1,50}a){10}c",
    }.items():
        tool = _tool(CALLED, _parameter({"type": "string", "pattern": pattern}, turn))
        for letters in (28, 100_000):
            yield Case(f"pattern: {name}, {letters} letters", [tool], {"p": "a" * letters + "!"})
    tool = _tool(CALLED, _parameter({"items": {"pattern": "^(a+)+$"}}, turn))
    yield Case("pattern: 25000 texts", [tool], {"p": ["a" * 30 + "!"] * 25_000})


def _references(turn: int) -> Iterator[Case]:
    for doubled in (12, 18, 22):
        definitions: dict[str, Any] = {"d0": {"type": "integer"}}
        for number in range(1, doubled + 1):
            below = {"$ref": f"#/$defs/d{number - 1}"}
            definitions[f"d{number}"] = {"anyOf": [below, below]}
        parameters = _parameter({"items": {"$ref": f"#/$defs/d{doubled}"}}, turn) | {"$defs": definitions}
        yield Case(f"references doubled {doubled} times", [_tool(CALLED, parameters)], {"p": ["no"] * 1000})


def _sizes(turn: int) -> Iterator[Case]:
    objects = [{"a": number} for number in range(8000)]
    many = _parameter({"uniqueItems": True}, turn)
    yield Case("8000 unique objects", [_tool(CALLED, many)], {"p": objects})
    choice = _parameter({"items": {"enum": [{"a": number} for number in range(1000)]}}, turn)
    yield Case("a choice of 1000 objects, 8000 times", [_tool(CALLED, choice)], {"p": [{"a": 999}] * 8000})
    anything = [_tool(CALLED, _parameter({}, turn))]
    for levels in (60, 900):
        yield Case(f"arguments nested {levels} levels", anything, {"p": _nested(levels)})
    yield Case("arguments of 1 MB", anything, {"p": list(range(140_000))})
    yield Case("a text of 1 MB", anything, {"p": "x" * 1_000_000})


def _tools(count: int, parameters: Callable[[int], Any], name: str = "tool_{}") -> list[dict[str, Any]]:
    return [_tool(name.format(number), parameters(number)) for number in range(count)]


def _tool(name: str, parameters: Any, *, description: str = "Does something.") -> dict[str, Any]:
    return {"name": name, "description": description, "parameters": parameters}


def _parameter(kernel: dict[str, Any], turn: int) -> dict[str, Any]:
    return {"type": "object", "properties": {"p": kernel, f"unused{turn}": {}}}


def _referring(number: int) -> dict[str, Any]:
    properties = {f"a{number}": {"$ref": "#/$defs/a"}}
    return {
        "type": "object",
        "properties": properties,
        "$defs": {"a": {"type": "string", "pattern": f"^a{number}$"}},
    }


def _wide(label: str, width: int, *, references: int = 0) -> dict[str, Any]:
    choice = {"type": "string", "enum": ["a", "b"]}
    properties = {f"p{label}_{n}": {"$ref": "#/$defs/a"} if n < references else choice for n in range(width)}
    return {"type": "object", "$defs": {"a": {}}, "properties": properties}


def _nested(levels: int) -> Raw:
    return Raw(b"[" * levels + b"]" * levels)
