"""Puts right what older drafts and careless generators write, so that a schema is valid 2020-12 for everybody."""

from typing import Any, Final

from cetp_gateway.models.tool_schemas.walking import LISTS, MAPS, Schema, map_children

TYPES: Final = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
DROPPED: Final = frozenset({"$comment", "$id", "$schema", "id"})
"""Say nothing to a model; `$id` would move the base of references. (`id` is draft 4's name for it.)"""


def mend(schema: Any) -> Any:
    """A valid 2020-12 schema that means the same. Numbers and names stay as they are."""
    if not isinstance(schema, dict):
        return schema if isinstance(schema, bool) else {}
    kept = {key: value for key, value in schema.items() if key not in DROPPED or not isinstance(value, str)}
    for repair in (_containers, _bounds, _items, _types, _required, _choices):
        kept = repair(kept)
    return map_children(kept, mend)


def _containers(schema: Schema) -> Schema:
    """Some languages print an empty map as `[]`; null stands for a keyword that was not set."""
    mended = dict(schema)
    for key in schema:
        if key in MAPS and not isinstance(schema[key], dict):
            mended[key] = {}
        elif key in LISTS and (not isinstance(schema[key], list) or not schema[key]):
            del mended[key]
    return mended


def _bounds(schema: Schema) -> Schema:
    """Draft 4: `exclusiveMinimum` is a boolean beside `minimum`."""
    mended = dict(schema)
    for exclusive, inclusive in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(schema.get(exclusive), bool):
            del mended[exclusive]
            if schema[exclusive] and inclusive in schema:
                mended[exclusive] = mended.pop(inclusive)
    return mended


def _items(schema: Schema) -> Schema:
    """Draft 7: a list in `items` is today's `prefixItems`, `additionalItems` today's `items`."""
    if not isinstance(schema.get("items"), list):
        return schema
    mended = {key: value for key, value in schema.items() if key not in ("items", "additionalItems")}
    if schema["items"]:
        mended["prefixItems"] = schema["items"]
    if "additionalItems" in schema:
        mended["items"] = schema["additionalItems"]
    return mended


def _types(schema: Schema) -> Schema:
    """Names of types that JSON Schema does not know (`any`) mean no limit."""
    if "type" not in schema:
        return schema
    given = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    known = [name for name in given if isinstance(name, str) and name in TYPES]
    mended = {key: value for key, value in schema.items() if key != "type"}
    if known and len(known) == len(given):
        mended["type"] = known[0] if len(known) == 1 else list(dict.fromkeys(known))
    return mended


def _required(schema: Schema) -> Schema:
    """Draft 3 has booleans here; names that are no strings cannot be required."""
    if "required" not in schema:
        return schema
    given = schema["required"]
    mended = {key: value for key, value in schema.items() if key != "required"}
    names = [name for name in given if isinstance(name, str)] if isinstance(given, list) else []
    if names:
        mended["required"] = list(dict.fromkeys(names))
    return mended


def _choices(schema: Schema) -> Schema:
    """An empty or unreadable list of choices would allow nothing at all."""
    choices = schema.get("enum", [None])
    if isinstance(choices, list) and choices:
        return schema
    return {key: value for key, value in schema.items() if key != "enum"}
