"""The schemas of the pipe's messages, and of each action's params and result (pipe 4, 8).

Reads nothing but our own files. `NAME` is a file, `params/click` and `result/click` a definition in one.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from cetp_spec import data

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from referencing import Registry

SUFFIX = ".schema.json"
KINDS = ("command", "init", "init-ack", "params", "response", "result")
"""Names of all files; `pipe/schemas/NAME.schema.json`, with the id `urn:cetp:pipe:1.0:NAME`."""

_ID = "urn:cetp:pipe:1.0:"
_LOCAL = "#/$defs/"


class UnknownSchema(ValueError):
    """No schema has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no schema of the pipe is called {name!r}; there are {', '.join(KINDS)}, params/ACTION, …")
        self.name = name


def load(name: str) -> dict[str, Any]:
    """A fresh, self-contained copy of one schema; of a definition with all that it refers to put in its place.

    Raises:
        UnknownSchema: there is none of this name.
    """
    kind, _, definition = name.partition("/")
    if kind not in KINDS:
        raise UnknownSchema(name)
    content: dict[str, Any] = data.read_json(data.root() / "pipe" / "schemas" / f"{kind}{SUFFIX}")
    if not definition:
        return content
    if definition not in content["$defs"]:
        raise UnknownSchema(name)
    resolved: dict[str, Any] = _resolved(content["$defs"][definition], content["$defs"])
    return resolved


@cache
def validator(name: str) -> Draft202012Validator:
    """A validator of one schema, made once; its errors carry paths into the data and the schema.

    Raises:
        UnknownSchema: there is none of this name.
    """
    # Imported here: those who only read codes and actions must not pay for jsonschema.
    from jsonschema import Draft202012Validator  # noqa: PLC0415

    return Draft202012Validator(load(name), registry=_registry())


@cache
def _registry() -> Registry[Any]:
    from referencing import Registry  # noqa: PLC0415
    from referencing.jsonschema import DRAFT202012  # noqa: PLC0415

    return (DRAFT202012.create_resource(load(kind)) for kind in KINDS) @ Registry()


def _resolved(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_resolved(part, definitions) for part in node]
    if not isinstance(node, dict):
        return node
    rest = {key: _resolved(part, definitions) for key, part in node.items() if key != "$ref"}
    if "$ref" not in node:
        return rest
    return _resolved(definitions[node["$ref"].removeprefix(_LOCAL)], definitions) | rest
