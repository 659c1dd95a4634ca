"""Puts right what is harmless in a schema: the many ways to write "no parameters", and a root that is no object.

Changes the decoded schema that it is given. Above: `schema_check`. Below: `schema_parts`.
"""

import re
from typing import Any

from cetp_gateway.tools.references import Unusable
from cetp_gateway.tools.schema_parts import every_part

Schema = dict[str, Any]

_DIALECT = re.compile(r"https?://json-schema\.org/").match


def is_object_schema(value: Any) -> bool:
    """Whether nothing about the root needs repair."""
    return type(value) is dict and value.get("type") == "object" and type(value.get("properties")) is dict


def as_object_schema(value: Any) -> tuple[Schema, tuple[str, ...]]:
    """The schema as one of an object with `properties`, and what was changed for that.

    Raises:
        Unusable: it describes something else than an object.
    """
    if value is None or value is True or value in ([], {}):
        return {"type": "object", "properties": {}}, ("it came without parameters",)
    if type(value) is not dict:
        raise Unusable(f"it is {_kind(value)}; an object schema is needed")
    changes = [change for step in (_dialect, _root_reference, _type, _required, _properties) if (change := step(value))]
    return value, tuple(changes)


def mend_parts(schema: Schema) -> bool:
    """Replace empty and null `properties` and `required` anywhere by what they mean; whether there were any."""
    changes = [change for part in every_part(schema) for change in (_properties(part, missing=False), _required(part))]
    return any(changes)


def _dialect(schema: Schema) -> str:
    """Another dialect is never fetched; its schema is judged as one of 2020-12 (core 8.1.1)."""
    dialect = schema.get("$schema", "https://json-schema.org/")
    if type(dialect) is str and _DIALECT(dialect):
        return ""
    del schema["$schema"]
    return "its $schema is unknown and was left out"


def _root_reference(schema: Schema) -> str:
    """A root that is nothing but a reference to a definition of its own becomes that definition."""
    ref = schema.get("$ref")
    if type(ref) is not str or schema.keys() - {"$ref", "$defs", "definitions", "$schema", "$id"}:
        return ""
    for keyword in ("$defs", "definitions"):
        found = schema.get(keyword)
        target = found.get(ref.removeprefix(f"#/{keyword}/")) if type(found) is dict else None
        if type(target) is dict and not target.keys() & schema.keys():
            del schema["$ref"]
            schema.update(target)
            return "its root was a reference"
    return ""


def _type(schema: Schema) -> str:
    kind = schema.get("type")
    if kind == "object":
        return ""
    if kind is not None and not (type(kind) is list and "object" in kind):
        raise Unusable(f"its root is of type {str(kind)[:40]!r}; arguments are always an object")
    schema["type"] = "object"
    return "its root did not say that it is an object"


def _required(schema: Schema) -> str:
    if "required" not in schema or schema["required"] is not None:
        return ""
    del schema["required"]
    return "its `required` was null"


def _properties(schema: Schema, *, missing: bool = True) -> str:
    if "properties" not in schema:
        if not missing:
            return ""
    elif schema["properties"] is not None and schema["properties"] != []:
        return ""
    schema["properties"] = {}
    return "it had no usable `properties`"


def _kind(value: Any) -> str:
    names = {str: "text", bool: "`false`", int: "a number", float: "a number", list: "a list"}
    return names.get(type(value), "no schema")
