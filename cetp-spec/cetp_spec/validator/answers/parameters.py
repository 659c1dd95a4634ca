"""Rules for a tool's `parameters` as a whole: object at the root, valid 2020-12, within the limits (spec 7.3)."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from cetp_spec.validator.answers.limits import (
    DEEP_SCHEMA,
    LARGE_SCHEMA_BYTES,
    SCHEMA_BYTES,
    SCHEMA_DEPTH,
    SCHEMA_REFS,
)
from cetp_spec.validator.answers.portability import portability_problems
from cetp_spec.validator.answers.references import reference_problems
from cetp_spec.validator.answers.schema_nodes import depth_of, nodes
from cetp_spec.validator.problem import Place, Problem, Severity
from cetp_spec.validator.rules import problem
from cetp_spec.validator.text import quoted

DRAFT = "https://json-schema.org/draft/2020-12/schema"
_SHOWN_FAULTS = 5


def parameters_problems(tool: dict[str, Any], place: Place) -> Iterator[Problem]:
    """All faults of `parameters` in a tool that stands at `place`."""
    schema = tool.get("parameters")
    if schema is None or schema == {}:
        return
    place = place.below("parameters")
    if not isinstance(schema, dict):
        yield problem("tool.schema.root", place, f"the parameters are of type {_type_name(schema)}, not an object")
        return
    limits = list(_limits(schema, place))
    yield from limits
    if not any(found.severity is Severity.ERROR for found in limits):
        yield from _schema(schema, place)


def _schema(schema: dict[str, Any], place: Place) -> Iterator[Problem]:
    yield from _root_type(schema, place)
    draft = schema.get("$schema", DRAFT)
    if isinstance(draft, str) and draft.rstrip("#") != DRAFT:
        yield problem("tool.schema.draft", place.below("$schema"), f"names {quoted(draft)}; CETP reads 2020-12")
    faults = list(_invalid(schema, place))
    yield from faults
    if not faults:
        yield from _patterns(schema, place)
        yield from reference_problems(schema, place)
    yield from portability_problems(schema, place)


def _limits(schema: dict[str, Any], place: Place) -> Iterator[Problem]:
    depth = depth_of(schema, SCHEMA_DEPTH)
    if depth > SCHEMA_DEPTH:
        message = f"is nested deeper than {SCHEMA_DEPTH} levels; consumers hold the tool back"
        yield problem("tool.schema.too-deep", place, message)
        return
    if depth > DEEP_SCHEMA:
        yield problem("tool.schema.deep", place, f"is nested {depth} levels deep")
    size = len(json.dumps(schema, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))
    if size > SCHEMA_BYTES:
        message = f"has {size} bytes; over {SCHEMA_BYTES} consumers hold the tool back"
        yield problem("tool.schema.too-large", place, message)
    elif size > LARGE_SCHEMA_BYTES:
        yield problem("tool.schema.large", place, f"has {size} bytes, and is sent with every request to a model")
    count = sum(1 for node in nodes(schema) if isinstance(node.schema, dict) and "$ref" in node.schema)
    if count > SCHEMA_REFS:
        message = f"has {count} references; over {SCHEMA_REFS} consumers hold the tool back"
        yield problem("tool.schema.too-many-references", place, message)


def _root_type(schema: dict[str, Any], place: Place) -> Iterator[Problem]:
    if "type" not in schema:
        if "$ref" not in schema:
            yield problem("tool.schema.root-type-missing", place, 'the root does not say "type": "object"')
    elif schema["type"] != "object":
        found = json.dumps(schema["type"], ensure_ascii=False)
        yield problem("tool.schema.root", place.below("type"), f"the root has the type {quoted(found)}, not object")


def _invalid(schema: dict[str, Any], place: Place) -> Iterator[Problem]:
    seen: set[tuple[Any, ...]] = set()
    for fault in _meta_schema().iter_errors(schema):
        keys = tuple(fault.instance_path)
        if keys in seen:
            continue
        seen.add(keys)
        yield problem(
            "tool.schema.invalid", place.below(*keys), f"is not valid in 2020-12: {_shortened(fault.message)}"
        )
        if len(seen) == _SHOWN_FAULTS:
            return


def _patterns(schema: dict[str, Any], place: Place) -> Iterator[Problem]:
    for node in nodes(schema):
        if not isinstance(node.schema, dict):
            continue
        named = node.schema.get("patternProperties")
        patterns = [("pattern", node.schema.get("pattern"))]
        patterns += [("patternProperties", name) for name in named] if isinstance(named, dict) else []
        for keyword, pattern in patterns:
            if isinstance(pattern, str) and not _compiles(pattern):
                where = place.below(*node.keys, keyword)
                yield problem("tool.schema.pattern", where, f"{quoted(pattern)} is no regular expression")


def _compiles(pattern: str) -> bool:
    from jsonschema_rs import Draft202012Validator, ValidationError  # noqa: PLC0415 - see _meta_schema

    try:
        Draft202012Validator({"pattern": pattern})
    except (ValidationError, ValueError):
        return False
    return True


@cache
def _meta_schema() -> Any:
    # Imported late, so that commands which check nothing do not pay for it. It is what the gateway uses, it does
    # not recurse on hostile schemas, and it never fetches anything: the meta-schema is built in.
    from jsonschema_rs import Draft202012Validator  # noqa: PLC0415

    return Draft202012Validator({"$ref": DRAFT})


def _shortened(message: str) -> str:
    shown = quoted(message, 160)
    return shown[1:-1]


def _type_name(value: Any) -> str:
    names = {bool: "boolean", int: "number", float: "number", str: "string", list: "array"}
    return names.get(type(value), type(value).__name__)
