"""Flattens the root of a tool's schema: no vendor takes `anyOf`, `oneOf` or `allOf` there.

Properties of all branches become properties of the root; what only a choice could say (give this or that)
becomes a sentence for the model. The original schema stays with the registry and is what arguments are
checked against, so nothing gets through that the tool did not allow.
"""

from typing import Any, Final

import msgspec

from cetp_gateway.models.tool_schemas.references import References, beside
from cetp_gateway.models.tool_schemas.walking import Schema, Unadaptable

MAX_NESTED: Final = 8
"""Choices within choices at the root."""
CHOICES: Final = (("anyOf", "at least one of"), ("oneOf", "exactly one of"))
OPTIONAL: Final = ("if", "then", "else", "dependentSchemas")
DROPPED: Final = frozenset(
    {"$ref", "allOf", "anyOf", "const", "default", "dependentRequired", "enum", "not", "oneOf", *OPTIONAL}
)


class _Part(msgspec.Struct):
    """What the root or one of its branches asks for."""

    properties: Schema
    required: list[str]
    hints: list[str]


def flatten_root(root: Schema) -> tuple[Schema, str]:
    """The schema with a plain object at its root, and what the model should know besides (may be empty).

    Raises:
        Unadaptable: no object can fit, or the choices are nested too deep.
    """
    references = References(root)
    whole = _without_reference(root, references)
    part = _read(whole, references, 0)
    flat: Schema = {"type": "object", "properties": part.properties}
    if part.required:
        flat["required"] = part.required
    for key, value in {**(whole if isinstance(whole, dict) else {}), **root}.items():
        if key not in flat and key not in DROPPED | {"required"}:
            flat[key] = value
    return flat, " ".join(dict.fromkeys(part.hints))


def _without_reference(schema: Any, references: References) -> Any:
    for _ in range(MAX_NESTED):
        if not isinstance(schema, dict) or "$ref" not in schema:
            return schema
        siblings = {key: value for key, value in schema.items() if key != "$ref"}
        schema = beside(references.find(schema["$ref"]), siblings)
    raise Unadaptable("its root is a chain of references")


def _read(schema: Any, references: References, depth: int) -> _Part:
    if depth > MAX_NESTED:
        raise Unadaptable(f"choices at its root are nested deeper than {MAX_NESTED} levels")
    schema = _without_reference(schema, references)
    if schema is False or not _can_be_object(schema):
        raise Unadaptable("its arguments are not an object")
    if schema is True:
        return _Part({}, [], [])
    part = _Part(dict(schema.get("properties", {})), list(schema.get("required", [])), [])
    for branch in schema.get("allOf", []):
        _add_all(part, _read(branch, references, depth + 1))
    for keyword, words in CHOICES:
        if keyword in schema:
            _add_choice(part, _branches(schema[keyword], references, depth + 1), words)
    for branch in _optional_branches(schema):
        if isinstance(branch, dict) and _can_be_object(branch):
            _add_properties(part, _read(branch, references, depth + 1).properties, "anyOf")
    return part


def _can_be_object(schema: Any) -> bool:
    types = schema.get("type", "object") if isinstance(schema, dict) else "object"
    return "object" in (types if isinstance(types, list) else [types])


def _branches(given: list[Any], references: References, depth: int) -> list[_Part]:
    """The branches that an object can take."""
    fitting = []
    for branch in given:
        whole = _without_reference(branch, references)
        if whole is not False and _can_be_object(whole):
            fitting.append(_read(whole, references, depth))
    if not fitting:
        raise Unadaptable("none of the choices at its root is an object")
    return fitting


def _optional_branches(schema: Schema) -> list[Any]:
    """`if`, `then`, `else` and dependent schemas only matter for some values: their properties are known, no more."""
    dependent = schema.get("dependentSchemas", {})
    return [*(schema[key] for key in ("if", "then", "else") if key in schema), *dependent.values()]


def _add_all(part: _Part, branch: _Part) -> None:
    _add_properties(part, branch.properties, "allOf")
    part.required = list(dict.fromkeys([*part.required, *branch.required]))
    part.hints += branch.hints


def _add_choice(part: _Part, branches: list[_Part], words: str) -> None:
    """Properties of every branch; required is what all of them require."""
    own = set(part.required)
    for branch in branches:
        _add_properties(part, branch.properties, "anyOf")
    common = [name for name in branches[0].required if all(name in branch.required for branch in branches)]
    part.required = list(dict.fromkeys([*part.required, *common]))
    sets = [[name for name in branch.required if name not in own | set(common)] for branch in branches]
    if len(branches) > 1 and all(sets):
        choices = "; ".join(" with ".join(names) for names in sets)
        part.hints.append(f"Give {words} these: {choices}.")


def _add_properties(part: _Part, properties: Schema, joint: str) -> None:
    for name, schema in properties.items():
        known = part.properties.get(name)
        part.properties[name] = schema if known is None or known is True else _join(known, schema, joint)


def _join(known: Any, other: Any, joint: str) -> Any:
    if known == other or other is True:
        return known
    values = _values(known) + _values(other)
    if joint == "anyOf" and _values(known) and _values(other) and _rest(known) == _rest(other):
        return {**_rest(known), "enum": list(dict.fromkeys(values))}
    if isinstance(known, dict) and set(known) == {joint}:
        return known if other in known[joint] else {joint: [*known[joint], other]}
    return {joint: [known, other]}


def _values(schema: Any) -> list[Any]:
    """The only texts that a schema allows: discriminators of a choice are written like this."""
    if not isinstance(schema, dict):
        return []
    values = [schema["const"]] if "const" in schema else schema.get("enum", [])
    return values if all(isinstance(value, str) for value in values) else []


def _rest(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key not in ("const", "enum")}
