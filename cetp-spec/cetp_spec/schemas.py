"""The published JSON Schemas (2020-12) of everything that crosses a border.

Reads nothing but our own files: a reference that they do not hold is an error, never a request.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from cetp_spec import data

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from referencing import Registry

SUFFIX = ".schema.json"

KINDS = (
    "conversation",
    "device-frame",
    "discovery-entry",
    "gateway-frame",
    "list-tools-data",
    "namespacing",
    "pairing-links",
    "parameters",
    "provider-info",
    "reply",
    "tool",
    "vectors",
    "writing-words",
)
"""Names of all schemas; `schemas/NAME.schema.json`, with the id `urn:cetp:v1:NAME`."""


class UnknownKind(ValueError):
    """No schema has this name."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"no schema is called {kind!r}; there are {', '.join(KINDS)}")
        self.kind = kind


def load(kind: str) -> dict[str, Any]:
    """A fresh copy of one schema.

    Raises:
        UnknownKind: `kind` is not in KINDS.
    """
    if kind not in KINDS:
        raise UnknownKind(kind)
    content: dict[str, Any] = data.read_json(data.schemas_folder() / f"{kind}{SUFFIX}")
    return content


@cache
def validator(kind: str) -> Draft202012Validator:
    """A validator of one kind, made once; its errors carry paths into the data and the schema.

    Raises:
        UnknownKind: `kind` is not in KINDS.
    """
    # Imported here: the gateway reads names and codes from this package and must not pay for jsonschema at start.
    from jsonschema import Draft202012Validator  # noqa: PLC0415

    return Draft202012Validator(load(kind), registry=_registry())


@cache
def _registry() -> Registry[Any]:
    from referencing import Registry  # noqa: PLC0415
    from referencing.jsonschema import DRAFT202012  # noqa: PLC0415

    resources = (DRAFT202012.create_resource(load(kind)) for kind in KINDS)
    return resources @ Registry()
