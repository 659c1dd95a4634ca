"""Rules for schemas that are valid but that LLM vendors, or their OpenAPI subsets, refuse or misread (spec 7.3)."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from cetp_spec.validator.answers.schema_nodes import Node, nodes
from cetp_spec.validator.problem import Place, Problem
from cetp_spec.validator.rules import problem
from cetp_spec.validator.text import listed, quoted

ROOT_COMBINATORS = ("anyOf", "oneOf", "allOf", "not", "if", "enum", "const")
_UNKNOWN_TO_VENDORS = """
$dynamicAnchor $dynamicRef $recursiveRef contains contentSchema dependencies dependentRequired dependentSchemas
else if not patternProperties prefixItems propertyNames then unevaluatedItems unevaluatedProperties
"""
UNKNOWN_TO_VENDORS = frozenset(_UNKNOWN_TO_VENDORS.split())
_BOOLEAN_IS_FINE = frozenset({"additionalProperties", "unevaluatedItems", "unevaluatedProperties"})


def portability_problems(schema: dict[str, Any], place: Place) -> Iterator[Problem]:
    """What may go wrong elsewhere; each rule is reported once per tool, at the first place."""
    yield from _root(schema, place)
    yield from once_per_rule(found for node in nodes(schema) for found in _node(node, place.below(*node.keys)))


def once_per_rule(problems: Iterator[Problem]) -> Iterator[Problem]:
    """The first problem of each rule, with the number of further ones in its message."""
    first: dict[str, Problem] = {}
    counts: Counter[str] = Counter()
    for found in problems:
        first.setdefault(found.rule, found)
        counts[found.rule] += 1
    for rule, found in first.items():
        more = f" (and {counts[rule] - 1} more in this schema)" if counts[rule] > 1 else ""
        yield problem(rule, found.place, found.message + more)


def _root(schema: dict[str, Any], place: Place) -> Iterator[Problem]:
    combinators = [keyword for keyword in ROOT_COMBINATORS if keyword in schema]
    if combinators:
        message = f"the root has {', '.join(combinators)}; Anthropic and others refuse the whole request for it"
        yield problem("tool.schema.root-combinator", place.below(combinators[0]), message)
    if "$ref" in schema:
        yield problem("tool.schema.root-reference", place.below("$ref"), "the root is a reference")


def _node(node: Node, place: Place) -> Iterator[Problem]:
    if isinstance(node.schema, bool):
        if node.keyword not in _BOOLEAN_IS_FINE:
            yield problem("tool.schema.boolean", place, f"the schema here is {str(node.schema).lower()}")
        return
    if not isinstance(node.schema, dict):
        return
    yield from _types(node.schema, place)
    yield from _choices(node.schema, place)
    yield from _required(node.schema, place)
    unknown = sorted(UNKNOWN_TO_VENDORS & node.schema.keys())
    if unknown and (node.keys or unknown != ["not"]):
        yield problem("tool.schema.keyword", place.below(unknown[0]), f"uses {', '.join(unknown)}")


def _types(schema: dict[str, Any], place: Place) -> Iterator[Problem]:
    types = schema.get("type")
    if isinstance(types, list):
        shown = " or ".join(str(name) for name in types[:7])
        yield problem("tool.schema.type-list", place.below("type"), f"the type is a list: {quoted(shown)}")


def _choices(schema: dict[str, Any], place: Place) -> Iterator[Problem]:
    choices, types = schema.get("enum"), schema.get("type")
    if not isinstance(choices, list):
        return
    if isinstance(types, list) and "null" in types and None not in choices:
        yield problem("tool.schema.never-null", place.below("enum"), "null is declared, but the enum does not have it")
    if "" in choices:
        yield problem("tool.schema.empty-choice", place.below("enum"), "one of the choices is the empty string")


def _required(schema: dict[str, Any], place: Place) -> Iterator[Problem]:
    required, properties = schema.get("required"), schema.get("properties")
    if not isinstance(required, list) or not isinstance(properties, dict):
        return
    unknown = [name for name in required if isinstance(name, str) and name not in properties]
    if unknown:
        message = f"required names {listed(unknown)}, of which properties says nothing"
        yield problem("tool.schema.required-unknown", place.below("required"), message)
