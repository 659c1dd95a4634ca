"""Tools as each family of vendors is given them: every fault costs its own tool at most."""

from typing import Any

import pytest

from cetp_gateway.api import ToolSpec
from cetp_gateway.models.tool_schemas import (
    ANTHROPIC,
    GEMINI,
    OPENAI,
    PORTABLE,
    Dialect,
    ToolLimits,
    Unadaptable,
    adapt_schema,
    adapt_tools,
)

DIALECTS = [ANTHROPIC, OPENAI, PORTABLE, GEMINI]
EMPTY = {"type": "object", "properties": {}}
CHOICE = {
    "type": "object",
    "properties": {"id": {"type": "string"}, "day": {"type": "string"}},
    "anyOf": [{"required": ["id"]}, {"required": ["day"]}],
}
TREE = {
    "type": "object",
    "properties": {"root": {"$ref": "#/$defs/n"}},
    "$defs": {"n": {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/n"}}}}},
}
LOOP = {"type": "object", "properties": {"x": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/a"}}}
DANGLING = {"type": "object", "properties": {"x": {"$ref": "#/$defs/gone"}}}
LIMITS = ToolLimits(dialect=OPENAI)


def tool(name: str, parameters: Any, description: str = "") -> ToolSpec:
    return ToolSpec(name=name, description=description, parameters=parameters)


def properties(schema: dict[str, Any], dialect: Dialect = OPENAI) -> Any:
    return adapt_schema(schema, dialect)[0]["properties"]


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_a_choice_at_the_root_becomes_a_plain_object_and_a_sentence(dialect: Dialect) -> None:
    schema, hint = adapt_schema(CHOICE, dialect)

    assert not {"anyOf", "oneOf", "allOf"} & set(schema)
    assert set(schema["properties"]) == {"id", "day"}
    assert hint == "Give at least one of these: id; day."


def test_both_tools_go_out_when_one_has_a_choice_at_its_root() -> None:
    tools = [tool("find_reading", CHOICE, "Finds."), tool("list_days", EMPTY)]

    adapted = adapt_tools(tools, ToolLimits(dialect=ANTHROPIC))

    assert [each.name for each in adapted.tools] == ["find_reading", "list_days"]
    assert adapted.tools[0].description == "Finds. Give at least one of these: id; day."
    assert adapted.left_out == {}
    assert "anyOf" in tools[0].parameters


def test_a_discriminated_choice_keeps_every_property_and_what_all_branches_require() -> None:
    schema = {
        "oneOf": [
            {
                "type": "object",
                "properties": {"kind": {"const": "a"}, "x": {"type": "string"}},
                "required": ["kind", "x"],
            },
            {"type": "object", "properties": {"kind": {"const": "b"}, "y": {"type": "number"}}, "required": ["kind"]},
        ]
    }

    flat, _ = adapt_schema(schema, OPENAI)

    assert flat["properties"]["kind"] == {"enum": ["a", "b"]}
    assert set(flat["properties"]) == {"kind", "x", "y"}
    assert flat["required"] == ["kind"]


def test_all_parts_of_a_root_are_put_together() -> None:
    schema = {
        "allOf": [
            {"$ref": "#/$defs/paged"},
            {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]},
        ],
        "$defs": {"paged": {"type": "object", "properties": {"page": {"type": "integer"}}, "required": ["page"]}},
    }

    flat, _ = adapt_schema(schema, OPENAI)

    assert set(flat["properties"]) == {"page", "q"}
    assert flat["required"] == ["page", "q"]


def test_a_root_that_is_only_a_reference_is_the_object_it_means() -> None:
    schema = {
        "$ref": "#/$defs/query",
        "$defs": {"query": {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}},
    }

    flat, _ = adapt_schema(schema, ANTHROPIC)

    assert (flat["type"], flat["properties"], flat["required"]) == ("object", {"q": {"type": "string"}}, ["q"])
    assert "$ref" not in flat


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string"},
        {"anyOf": [{"type": "string"}, {"type": "number"}]},
        {"allOf": [{"type": "object"}, {"type": "array"}]},
        LOOP,
        DANGLING,
        {"type": "object", "properties": {"x": {"$ref": "https://example.org/schema.json"}}},
        {"type": "object", "properties": {"x": {"$dynamicRef": "#node"}}},
        {
            "type": "object",
            "properties": {"x": {"$ref": "#/$defs/a"}},
            "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"$ref": "#/$defs/a"}},
        },
    ],
)
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_a_tool_that_cannot_be_adapted_is_left_out_alone_with_its_reason(schema: Any, dialect: Dialect) -> None:
    adapted = adapt_tools([tool("bad", schema), tool("good", EMPTY)], ToolLimits(dialect=dialect))

    assert [each.name for each in adapted.tools] == ["good"]
    assert adapted.left_out["bad"].startswith(("its", "it ", "none of"))


@pytest.mark.parametrize("schema", [None, {}, EMPTY, {"type": "object"}, {"type": "object", "properties": None}, []])
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_no_parameters_are_written_in_one_way_only(schema: Any, dialect: Dialect) -> None:
    assert adapt_schema(schema, dialect)[0] == EMPTY


@pytest.mark.parametrize("dialect", [ANTHROPIC, OPENAI], ids=lambda dialect: dialect.name)
def test_a_recursive_schema_keeps_its_references_where_they_are_understood(dialect: Dialect) -> None:
    schema, _ = adapt_schema(TREE, dialect)

    assert schema["properties"]["root"] == {"$ref": "#/$defs/n"}
    assert "n" in schema["$defs"]


@pytest.mark.parametrize("dialect", [PORTABLE, GEMINI], ids=lambda dialect: dialect.name)
def test_a_recursive_schema_is_cut_at_a_fixed_depth_elsewhere(dialect: Dialect) -> None:
    schema, _ = adapt_schema(TREE, dialect)
    node, depth = schema["properties"]["root"], 0
    while node.get("properties"):
        node, depth = node["properties"]["kids"]["items"], depth + 1

    assert "$ref" not in str(schema)
    assert depth == 3
    assert node["type"] == "object"


def test_references_that_multiply_cost_their_tool_and_no_more() -> None:
    bomb = {
        f"d{n}": {"type": "object", "properties": {k: {"$ref": f"#/$defs/d{n + 1}"} for k in "ab"}} for n in range(30)
    }
    schema = {
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/d0"}},
        "$defs": {**bomb, "d30": {"type": "string"}},
    }

    with pytest.raises(Unadaptable, match="more than 4000"):
        adapt_schema(schema, GEMINI)
    assert adapt_schema(schema, ANTHROPIC)[0]["properties"]["x"] == {"$ref": "#/$defs/d0"}


def test_a_pointer_with_escaped_letters_and_an_anchor_are_found() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/x~1y%20z"}, "b": {"$ref": "#here"}},
        "$defs": {"x/y z": {"type": "string"}, "other": {"$anchor": "here", "type": "number"}},
    }

    assert properties(schema, PORTABLE) == {"a": {"type": "string"}, "b": {"type": "number"}}


def test_numbers_keep_their_digits() -> None:
    schema = {"type": "object", "properties": {"id": {"type": "integer", "maximum": 18446744073709551616}}}

    adapted = adapt_tools([tool("t", schema)], ToolLimits(dialect=OPENAI))

    assert adapted.tools[0].parameters()["properties"]["id"]["maximum"] == 18446744073709551616
    assert bytes(adapted.tools[0].schema).count(b"18446744073709551616") == 1


def test_a_long_description_is_shortened_and_keeps_its_hint() -> None:
    adapted = adapt_tools([tool("t", CHOICE, "x" * 5000)], ToolLimits(dialect=OPENAI, description_chars=100))

    assert len(adapted.tools[0].description) == 100
    assert adapted.tools[0].description.endswith("… Give at least one of these: id; day.")


def test_a_name_that_the_vendor_does_not_take_costs_only_its_tool() -> None:
    tools = [tool("3d__print", EMPTY), tool("ok", EMPTY)]

    adapted = adapt_tools(tools, ToolLimits(dialect=GEMINI, name_pattern="[A-Za-z_][A-Za-z0-9_-]{0,63}"))

    assert [each.name for each in adapted.tools] == ["ok"]
    assert "name" in adapted.left_out["3d__print"]


def test_a_schema_that_is_nested_without_end_costs_only_its_tool() -> None:
    deep: dict[str, Any] = {}
    for _ in range(5000):
        deep = {"not": deep}

    adapted = adapt_tools([tool("deep", {"type": "object", "properties": {"x": deep}}), tool("ok", EMPTY)], LIMITS)

    assert [each.name for each in adapted.tools] == ["ok"]
    assert list(adapted.left_out) == ["deep"]
