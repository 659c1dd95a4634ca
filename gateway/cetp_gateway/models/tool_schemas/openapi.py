"""JSON Schema in the OpenAPI 3.0 subset that Gemini takes: one type, `nullable`, text enums, few keywords."""

from typing import Any, Final

import msgspec

from cetp_gateway.models.tool_schemas.dialects import Dialect
from cetp_gateway.models.tool_schemas.walking import Schema

MAX_CHOICES_TOLD: Final = 20
"""Values of an enum that is told in words."""


def to_openapi(schema: Any, dialect: Dialect) -> Schema:
    """A schema without anything that the subset does not know; never references, which were written out before."""
    given = _merged(schema if isinstance(schema, dict) else {})
    kept: Schema = {}
    notes: list[str] = []
    _take_type(given, kept)
    _take_choices(given, kept, notes)
    _take_format(given, kept, notes, dialect)
    _take_object(given, kept, dialect)
    _take_array(given, kept, dialect)
    for key, value in given.items():
        if key in (dialect.keywords or ()) and key not in kept and key not in _OWN:
            kept[key] = value
    described = " ".join([text for text in [given.get("description"), *notes] if isinstance(text, str) and text])
    if described:
        kept["description"] = described
    return _with_alternatives(given, kept, dialect)


_OWN: Final = frozenset({"anyOf", "description", "enum", "format", "items", "properties", "required", "type"})
"""Keywords that have their own function here."""


def _merged(schema: Schema) -> Schema:
    """`allOf` folded into the schema around it, `oneOf` read as `anyOf`."""
    merged = {key: value for key, value in schema.items() if key not in ("allOf", "oneOf")}
    if "oneOf" in schema:
        merged["anyOf"] = [*schema["oneOf"], *schema.get("anyOf", [])]
    for branch in schema.get("allOf", []):
        if isinstance(branch, dict):
            for key, value in _merged(branch).items():
                merged[key] = _both(merged[key], value) if key in merged else value
    return merged


def _both(first: Any, second: Any) -> Any:
    if isinstance(first, dict) and isinstance(second, dict):
        return {**second, **first}
    if isinstance(first, list) and isinstance(second, list):
        return first + [item for item in second if item not in first]
    return first


def _take_type(given: Schema, kept: Schema) -> None:
    named = given.get("type")
    types = named if isinstance(named, list) else [named] if named else [_guessed(given)]
    real = [name for name in types if name not in ("null", None)]
    if "null" in types:
        kept["nullable"] = True
    if len(real) > 1:
        kept["anyOf"] = [{"type": name, **({"items": {"type": "string"}} if name == "array" else {})} for name in real]
    elif real:
        kept["type"] = real[0]


def _guessed(given: Schema) -> str | None:
    """The type that a schema without one plainly means."""
    if "properties" in given:
        return "object"
    if "items" in given or "prefixItems" in given:
        return "array"
    if isinstance(given.get("const"), str) or all(isinstance(value, str) for value in given.get("enum", [0])):
        return "string"
    return None if "anyOf" in given else "string"


def _take_choices(given: Schema, kept: Schema, notes: list[str]) -> None:
    """Enums hold texts that are not empty; other values are told in words."""
    values = [given["const"]] if "const" in given else given.get("enum", [])
    if not values:
        return
    if None in values:
        kept["nullable"] = True
    texts = [value for value in values if isinstance(value, str) and value]
    if kept.get("type") == "string" and len(texts) == len([value for value in values if value is not None]):
        kept["enum"] = texts
    else:
        told = ", ".join(msgspec.json.encode(value).decode() for value in values[:MAX_CHOICES_TOLD])
        notes.append(f"One of: {told}.")


def _take_format(given: Schema, kept: Schema, notes: list[str], dialect: Dialect) -> None:
    value = given.get("format")
    if not isinstance(value, str):
        return
    if dialect.formats is None or value in dialect.formats:
        kept["format"] = value
    else:
        notes.append(f"Format: {value}.")


def _take_object(given: Schema, kept: Schema, dialect: Dialect) -> None:
    if kept.get("type") != "object":
        return
    properties = given.get("properties", {})
    kept["properties"] = {name: to_openapi(item, dialect) for name, item in properties.items()}
    required = [name for name in given.get("required", []) if name in properties]
    if required:
        kept["required"] = required


def _take_array(given: Schema, kept: Schema, dialect: Dialect) -> None:
    if kept.get("type") != "array":
        return
    items = given.get("items")
    if not isinstance(items, dict):
        options = [item for item in given.get("prefixItems", []) if isinstance(item, dict)]
        items = {"anyOf": options} if options else {"type": "string"}
    kept["items"] = to_openapi(items, dialect)


def _with_alternatives(given: Schema, kept: Schema, dialect: Dialect) -> Schema:
    """`anyOf` must stand alone (with its description); one that only says what is required is left to the checks."""
    options = [option for option in given.get("anyOf", []) if isinstance(option, dict)]
    real = [option for option in options if option.get("type") != "null"]
    if len(real) < len(options):
        kept["nullable"] = True
    if kept.get("properties") or not real:
        return _alone(kept)
    if len(real) == 1:
        only = to_openapi({**given, **real[0], "anyOf": real[0].get("anyOf", [])}, dialect)
        return {**only, **({"nullable": True} if kept.get("nullable") else {})}
    kept["anyOf"] = [to_openapi(option, dialect) for option in real]
    return _alone(kept)


def _alone(kept: Schema) -> Schema:
    if "anyOf" not in kept:
        return kept
    return {key: kept[key] for key in ("anyOf", "description", "nullable") if key in kept}
