"""Schemas in the words of each dialect, and a proof over arbitrary JSON."""

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cetp_gateway.models.tool_schemas import ANTHROPIC, GEMINI, OPENAI, PORTABLE, Dialect, Unadaptable, adapt_schema

DIALECTS = [ANTHROPIC, OPENAI, PORTABLE, GEMINI]
DRAFTS = {
    "type": "object",
    "properties": {
        "mode": {"type": ["string", "null"], "enum": ["on", "off"]},
        "n": {"type": "integer", "minimum": 0, "exclusiveMinimum": True},
        "rows": {"type": ["array", "null"], "items": {"type": ["object", "null"], "properties": {"v": True}}},
        "unit": {"type": "string", "enum": ["C", ""]},
    },
}


def properties(schema: dict[str, Any], dialect: Dialect = OPENAI) -> Any:
    return adapt_schema(schema, dialect)[0]["properties"]


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_keywords_of_old_drafts_become_todays(dialect: Dialect) -> None:
    schema, _ = adapt_schema(DRAFTS, dialect)

    jsonschema.Draft202012Validator.check_schema({**schema, "properties": {"n": schema["properties"]["n"]}})
    assert schema["properties"]["n"]["type"] == "integer"
    assert not isinstance(schema["properties"]["n"].get("exclusiveMinimum"), bool)


@pytest.mark.parametrize("dialect", [ANTHROPIC, OPENAI, PORTABLE], ids=lambda dialect: dialect.name)
def test_an_old_exclusive_bound_keeps_its_number(dialect: Dialect) -> None:
    assert properties(DRAFTS, dialect)["n"] == {"type": "integer", "exclusiveMinimum": 0}


def test_gemini_gets_one_type_no_booleans_and_no_empty_choice() -> None:
    adapted = properties(DRAFTS, GEMINI)

    assert adapted["mode"] == {"type": "string", "nullable": True, "enum": ["on", "off"]}
    assert adapted["rows"]["type"] == "array"
    assert adapted["rows"]["nullable"] is True
    assert adapted["rows"]["items"]["properties"] == {"v": {"type": "string"}}
    assert adapted["unit"]["type"] == "string"
    assert "" not in adapted["unit"].get("enum", [])


def test_gemini_is_told_in_words_what_its_schema_cannot_say() -> None:
    schema = {
        "type": "object",
        "properties": {
            "size": {"type": "integer", "enum": [1, 2], "description": "How big."},
            "day": {"type": "string", "format": "date"},
            "fixed": {"const": "x"},
            "id": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "either": {"oneOf": [{"type": "string"}, {"type": "integer"}], "description": "Either."},
        },
    }

    adapted = properties(schema, GEMINI)

    assert adapted["size"] == {"type": "integer", "description": "How big. One of: 1, 2."}
    assert adapted["day"] == {"type": "string", "description": "Format: date."}
    assert adapted["fixed"] == {"type": "string", "enum": ["x"]}
    assert adapted["id"] == {"type": "string", "nullable": True}
    assert adapted["either"] == {"anyOf": [{"type": "string"}, {"type": "integer"}], "description": "Either."}


def test_openai_is_told_what_an_array_holds() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "array"}, "b": {"type": "array", "items": [{"type": "string"}]}},
    }

    assert properties(schema)["a"] == {"type": "array", "items": {}}
    assert properties(schema)["b"] == {"type": "array", "prefixItems": [{"type": "string"}], "items": {}}


BEYOND_OPENAPI = {"$ref", "$defs", "additionalProperties", "allOf", "const", "dependentSchemas", "else", "if", "oneOf"}
KEYWORDS = st.sampled_from(sorted((GEMINI.keywords or set()) | BEYOND_OPENAPI | {"not", "prefixItems", "then"}))
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["object", "array", "string", "null", "#", "#/$defs/a", ""])
)
SCHEMAS = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(KEYWORDS | st.sampled_from("ab"), inner, max_size=4)
        | st.fixed_dictionaries(
            {"type": st.just("object"), "properties": st.dictionaries(st.sampled_from("ab"), inner)}
        )
    ),
    max_leaves=25,
)


@given(SCHEMAS, st.sampled_from(DIALECTS))
def test_any_json_is_adapted_or_left_out_with_a_reason(schema: Any, dialect: Dialect) -> None:
    try:
        adapted, _ = adapt_schema(schema, dialect)
    except Unadaptable:
        return

    assert adapted["type"] == "object"
    assert isinstance(adapted["properties"], dict)
    assert not {"anyOf", "oneOf", "allOf", "not", "enum", "$ref"} & set(adapted)
    if dialect is GEMINI:
        _assert_openapi(adapted)


def _assert_openapi(schema: Any) -> None:
    assert isinstance(schema, dict)
    assert set(schema) <= (GEMINI.keywords or set())
    assert isinstance(schema.get("type", ""), str)
    assert "" not in schema.get("enum", [])
    for child in [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]:
        _assert_openapi(child)
    if "items" in schema:
        _assert_openapi(schema["items"])
