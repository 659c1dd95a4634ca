"""Rewrites schemas below the root for one dialect. The root has been flattened before."""

from typing import Any, Final

from cetp_gateway.models.tool_schemas.dialects import Dialect
from cetp_gateway.models.tool_schemas.openapi import to_openapi
from cetp_gateway.models.tool_schemas.walking import Schema, map_children

MAY_BE_BOOLEAN: Final = ("additionalProperties", "unevaluatedItems", "unevaluatedProperties")
"""Everybody knows `false` here."""


def rewrite(schema: Any, dialect: Dialect) -> Any:
    """The schema in the dialect's words."""
    if not dialect.keeps_booleans:
        schema = _without_booleans(schema)
    if dialect.openapi:
        return to_openapi(schema, dialect)
    return _with_items(schema)


def _without_booleans(schema: Any) -> Any:
    """`true` is the empty schema; what is `false` is not there."""
    if schema is True:
        return {}
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if value is not False or key in MAY_BE_BOOLEAN}
    for key, value in kept.items():
        if key in ("properties", "patternProperties") and isinstance(value, dict):
            kept[key] = {name: item for name, item in value.items() if item is not False}
        elif key in ("anyOf", "oneOf", "prefixItems") and isinstance(value, list):
            kept[key] = [item for item in value if item is not False]
    held = {key: kept.pop(key) for key in MAY_BE_BOOLEAN if isinstance(kept.get(key), bool)}
    return {**map_children(kept, _without_booleans), **held}


def _with_items(schema: Any) -> Any:
    """Arrays say what they hold: OpenAI refuses those that do not."""
    if not isinstance(schema, dict):
        return schema
    types = schema.get("type")
    changed: Schema = map_children(schema, _with_items)
    if "array" in (types if isinstance(types, list) else [types]) and "items" not in changed:
        changed["items"] = {}
    return changed
