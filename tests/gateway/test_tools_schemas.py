"""Schemas from devices: taken as they are, put right where that is harmless, or quarantined with a reason."""

import socket
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cetp_gateway.api import InvalidArguments, ToolState, ToolVerdict
from cetp_gateway.settings.limits import LimitSettings
from cetp_gateway.tools import ToolRegistry
from support.tool_hosts import NOTHING, Phone, a_registry, a_tool, found, names


def offer(parameters: Any, registry: ToolRegistry | None = None) -> tuple[ToolVerdict, dict[str, Any] | None]:
    """The verdict on a tool with these parameters, and the schema that models see."""
    registry = registry or a_registry()
    answer = registry.offer(Phone("p"), [a_tool("t", parameters), a_tool("other")], replace=True)[0]
    assert "other" in names(registry.view())
    tool = registry.view().find("t")
    return answer, tool.spec.parameters if tool is not None else None


def refused(parameters: Any, registry: ToolRegistry | None = None) -> str:
    """The reason for which such a tool is quarantined."""
    answer, seen = offer(parameters, registry)
    assert (answer.state, seen) == (ToolState.QUARANTINED, None)
    return answer.reason


USUAL = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "Words · Wörter · 词", "pattern": "^[a-z ]+$"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 18446744073709551616},
        "filter": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/filter"}]},
    },
    "required": ["query"],
    "$defs": {"filter": {"type": "object", "properties": {"tags": {"type": "array", "items": {"type": "string"}}}}},
}


@pytest.mark.requirement("cetp.2.3.parameters")
def test_a_usual_schema_reaches_the_model_as_it_was_sent() -> None:
    answer, seen = offer(USUAL)

    assert (answer.state, answer.reason, seen) == (ToolState.ACCEPTED, "", USUAL)


@pytest.mark.parametrize(
    "parameters",
    [b"", b"null", b"{}", b"[]", b"true", b'{"type":"object"}', b'{"type":"object","properties":[]}',
     b'{"type":"object","properties":null}', b'{"properties":{}}', b'{"type":["object","null"],"properties":{}}',
     b'{"type":"object","properties":{},"required":null}'],
)  # fmt: skip
def test_no_parameters_is_understood_in_every_way_in_which_it_is_written(parameters: bytes) -> None:
    answer, seen = offer(parameters)

    assert (answer.state, seen) == (ToolState.REPAIRED, NOTHING)
    assert answer.reason


def test_empty_lists_for_empty_objects_are_mended_deep_within() -> None:
    answer, seen = offer(
        {"type": "object", "properties": {"a": {"type": "object", "properties": [], "required": None}}}
    )

    assert answer.state is ToolState.REPAIRED
    assert seen == {"type": "object", "properties": {"a": {"type": "object", "properties": {}}}}


def test_a_root_that_is_only_a_reference_becomes_what_it_refers_to() -> None:
    answer, seen = offer(
        {"$ref": "#/$defs/a", "$defs": {"a": {"type": "object", "properties": {"x": {"type": "string"}}}}}
    )

    assert answer.state is ToolState.REPAIRED
    assert seen is not None
    assert (seen["type"], seen["properties"]) == ("object", {"x": {"type": "string"}})


def test_a_choice_at_the_root_is_kept_and_checked() -> None:
    registry = a_registry()
    answer, seen = offer(
        {
            "type": "object",
            "properties": {"id": {"type": "string"}, "day": {"type": "string"}},
            "anyOf": [{"required": ["id"]}, {"required": ["day"]}],
        },
        registry,
    )

    assert answer.state is ToolState.ACCEPTED
    assert seen is not None
    assert "anyOf" in seen
    tool = found(registry.view(), "t")
    assert isinstance(tool.read_arguments({}), InvalidArguments)
    assert tool.read_arguments({"day": "2026-01-01"}) == {"day": "2026-01-01"}


@pytest.mark.parametrize("parameters", [b'"text"', b"5", b"false", b"[1]", b'{"type":"array"}', b'{"type":"string"}'])
def test_what_is_no_schema_of_an_object_is_quarantined(parameters: bytes) -> None:
    assert "object" in refused(parameters)


@pytest.mark.parametrize("parameters", [b"{", b"{'a':1}", b'{"type":"object","x":1e999}', b"\xff", b"[" * 3000])
def test_what_is_no_json_is_quarantined(parameters: bytes) -> None:
    assert refused(parameters)


def test_a_keyword_of_an_older_draft_is_quarantined_and_named() -> None:
    reason = refused(
        {"type": "object", "properties": {"n": {"type": "integer", "minimum": 0, "exclusiveMinimum": True}}}
    )

    assert "2020-12" in reason
    assert "/properties/n/exclusiveMinimum must be a number" in reason


@pytest.mark.parametrize(
    "part",
    [{"type": "text"}, {"type": 5}, {"minLength": -1}, {"required": "a"}, {"properties": {"a": 5}}, {"enum": 3},
     {"required": ["a", "a"]}, {"items": [{"type": "string"}]}, {"allOf": []}, 5, None, "text"],
)  # fmt: skip
def test_an_invalid_part_is_quarantined_and_its_place_is_named(part: Any) -> None:
    assert "/properties/p" in refused({"type": "object", "properties": {"p": part}})


def test_a_null_in_an_enum_that_its_type_forbids_is_the_validators_business() -> None:
    answer, _ = offer({"type": "object", "properties": {"mode": {"type": ["string", "null"], "enum": ["on", "off"]}}})

    assert answer.state is ToolState.ACCEPTED


def test_a_tree_that_refers_to_itself_is_taken_and_checked() -> None:
    registry = a_registry()
    answer, seen = offer(
        {
            "type": "object",
            "properties": {"root": {"$ref": "#/$defs/n"}},
            "$defs": {
                "n": {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/n"}}}}
            },
        },
        registry,
    )

    assert answer.state is ToolState.ACCEPTED
    assert seen is not None
    tool = found(registry.view(), "t")
    good: dict[str, Any] = {"root": {"kids": [{"kids": []}, {}]}}
    assert tool.read_arguments(good) == good
    problem = tool.read_arguments({"root": {"kids": [{}, {"kids": 5}]}})
    assert isinstance(problem, InvalidArguments)
    assert problem.problems[0].pointer == "/root/kids/1/kids"


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"x": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/a"}}},
        {"properties": {"x": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
        {"properties": {"x": {"anyOf": [{"$ref": "#/properties/x"}]}}},
        {"properties": {"x": {"allOf": [{"if": True, "then": {"$ref": "#"}}]}}, "not": {"$ref": "#"}},
        {"properties": {}, "dependentSchemas": {"a": {"$ref": "#"}}},
    ],
)
def test_references_that_lead_back_to_themselves_are_quarantined(schema: dict[str, Any]) -> None:
    assert "leads back to itself" in refused({"type": "object", **schema})


@pytest.mark.parametrize(
    "ref",
    ["#/$defs/gone", "#/$defs/gone/on", "#gone", "#/properties/x/enum/7", "#/properties/x/enum/0",
     "#/properties/x/enum"],
)  # fmt: skip
def test_a_reference_that_leads_nowhere_is_quarantined(ref: str) -> None:
    assert "leads nowhere" in refused({"type": "object", "properties": {"x": {"enum": ["a"]}, "y": {"$ref": ref}}})


def test_a_dangling_reference_is_found_where_nothing_uses_it_and_in_disguise() -> None:
    assert "leads nowhere" in refused({"type": "object", "properties": {}, "$defs": {"a": {"$ref": "#/gone"}}})
    assert "leads nowhere" in refused(b'{"type":"object","properties":{"x":{"\\u0024ref":"#/gone"}}}')


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"x": {"$ref": "#/$defs/a~1b"}}, "$defs": {"a/b": {"type": "string"}}},
        {"properties": {"x": {"$ref": "#/$defs/a%20b"}}, "$defs": {"a b": {"type": "string"}}},
        {"properties": {"x": {"$ref": "#here"}}, "$defs": {"a": {"$anchor": "here", "type": "string"}}},
        {"properties": {"x": {"$ref": "#/definitions/a"}}, "definitions": {"a": {"type": "string"}}},
        {"properties": {"x": {"$ref": "#/allOf/0"}}, "allOf": [{"type": "object"}]},
        {"$id": "https://example.org/t", "properties": {"x": {"$ref": "https://example.org/t#/$defs/a"}},
         "$defs": {"a": {"type": "string"}}},
        {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"x": {"type": "string"}}},
    ],
)  # fmt: skip
def test_references_and_dialects_in_common_use_are_taken(schema: dict[str, Any]) -> None:
    registry = a_registry()
    answer, seen = offer({"type": "object", **schema}, registry)

    assert (answer.state, answer.reason) == (ToolState.ACCEPTED, "")
    assert seen == {"type": "object", **schema}
    tool = found(registry.view(), "t")
    assert isinstance(tool.read_arguments({"x": 5}), InvalidArguments)


@pytest.mark.parametrize("keyword", ["$dynamicRef", "$recursiveRef"])
def test_references_that_depend_on_the_caller_are_quarantined(keyword: str) -> None:
    assert keyword in refused({"type": "object", "properties": {"x": {keyword: "#"}}})


def test_a_schema_with_an_identity_of_its_own_inside_is_quarantined() -> None:
    assert "$id" in refused({"type": "object", "properties": {"x": {"$id": "https://example.org/x"}}})


@pytest.mark.parametrize("keyword", ["$ref", "$schema", "$id", "$dynamicRef", "nested $ref", "nested $schema"])
def test_nothing_that_a_schema_names_is_ever_fetched(keyword: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/schema.json"
        where, _, key = keyword.rpartition(" ")
        schema: dict[str, Any] = {"type": "object", "properties": {"x": {}}}
        (schema["properties"]["x"] if where else schema)[key] = address
        registry = a_registry()

        answer, _ = offer(schema, registry)
        tool = registry.view().find("t")
        if tool is not None:
            tool.read_arguments({"x": 1})

        assert answer.state is not ToolState.ACCEPTED or keyword == "$id" or where
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.mark.parametrize(
    "address", ["https://json-schema.org/draft/2020-12/schema", "file:///etc/passwd", "other.json", ""]
)
def test_a_reference_out_of_the_schema_is_quarantined(address: str) -> None:
    assert "leads out of the schema" in refused({"type": "object", "properties": {"x": {"$ref": address}}})


def test_a_dialect_that_nobody_knows_is_left_out() -> None:
    answer, seen = offer({"$schema": "https://example.org/mine", "type": "object", "properties": {}})

    assert (answer.state, seen) == (ToolState.REPAIRED, NOTHING)
    assert "$schema" in answer.reason


def test_a_schema_within_the_limits_passes_and_one_beyond_is_quarantined_with_the_limit_named() -> None:
    registry = a_registry(limits=LimitSettings(schema_bytes=2000, schema_depth=8, schema_refs=2))
    nested: dict[str, Any] = {"type": "object", "properties": {}}
    for _ in range(3):
        nested = {"type": "object", "properties": {"a": nested}}
    refs = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/d"}, "b": {"$ref": "#/$defs/d"}},
        "$defs": {"d": {}},
    }

    assert offer({**NOTHING, "title": "x" * 1900}, registry)[0].state is ToolState.ACCEPTED
    assert "limits.schema_bytes" in refused({**NOTHING, "title": "x" * 2000}, registry)
    assert offer(nested, registry)[0].state is ToolState.ACCEPTED
    assert "limits.schema_depth" in refused({"type": "object", "properties": {"a": nested}}, registry)
    assert "limits.schema_depth" in refused({**NOTHING, "default": [[[[[[[[1]]]]]]]]}, registry)
    assert offer(refs, registry)[0].state is ToolState.ACCEPTED
    assert "limits.schema_refs" in refused({**refs, "items": {"$ref": "#/$defs/d"}}, registry)


def test_references_that_double_again_and_again_are_quarantined() -> None:
    defs: dict[str, Any] = {"d0": {"type": "integer"}}
    for number in range(1, 30):
        below = {"$ref": f"#/$defs/d{number - 1}"}
        defs[f"d{number}"] = {"allOf": [below, below]}

    assert "unfold" in refused({"type": "object", "properties": {"n": {"$ref": "#/$defs/d29"}}, "$defs": defs})


def test_a_pattern_that_cannot_be_compiled_is_left_out_and_told() -> None:
    answer, seen = offer({"type": "object", "properties": {"a": {"type": "string", "pattern": "(("}}})

    assert answer.state is ToolState.REPAIRED
    assert "'(('" in answer.reason
    assert seen == {"type": "object", "properties": {"a": {"type": "string"}}}


@pytest.mark.parametrize("pattern", ["((", r"\p{L}{500}"])
def test_a_pattern_of_property_names_that_cannot_be_used_is_quarantined(pattern: str) -> None:
    assert "property names" in refused({**NOTHING, "patternProperties": {pattern: {"type": "string"}}})


def test_schemas_that_differ_in_descriptions_alone_are_told_apart_where_it_matters() -> None:
    def schema(description: bytes, kind: bytes = b"string") -> bytes:
        return b'{"type":"object","properties":{"a":{"type":"%b","description":"%b"}}}' % (kind, description)

    registry = a_registry()
    assert offer(schema(b"one"), registry)[0].state is ToolState.ACCEPTED
    _, seen = offer(schema(b"two"), registry)
    assert seen is not None
    assert seen["properties"]["a"]["description"] == "two"
    assert "/properties/a/type" in refused(schema(b"one", b"text"), registry)
    assert "/properties/a/type" in refused(schema(b"two", b"text"), registry)
    # What looks like the end of a description may not be it, and what is no JSON stays none.
    assert refused(schema(b'","x":{"'), registry)
    assert refused(schema(b"\x01"), registry)
    assert refused(schema(b"\xff"), registry)
    assert offer(schema(b'\\",\\"type\\":\\"text'), registry)[0].state is ToolState.ACCEPTED


def test_repaired_schemas_keep_their_own_descriptions() -> None:
    registry = a_registry()

    for text in ("one", "two", "one"):
        _, seen = offer(b'{"properties":{"a":{"description":"%b"}}}' % text.encode(), registry)
        assert seen is not None
        assert seen["properties"]["a"]["description"] == text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KEYWORDS = st.sampled_from(
    ["type", "properties", "items", "anyOf", "oneOf", "not", "if", "then", "$ref", "$defs", "$id", "$anchor", "$schema",
     "$dynamicRef", "enum", "const", "required", "pattern", "patternProperties", "additionalProperties", "minLength",
     "multipleOf", "maximum", "contains", "minContains", "prefixItems", "uniqueItems", "dependentSchemas", "format",
     "dependentRequired", "propertyNames", "unevaluatedProperties", "definitions", "description", "default"]
)  # fmt: skip
VALUES = st.one_of(
    st.sampled_from(
        ["object", "string", "integer", "#", "#/$defs/a", "#/properties/a", "#a", "a", "^a+$", "((", "(?=a)b", ["a"],
         ["object", "null"], 1, 0, -1, 1e300, 10**30, True, None, "date", "http://127.0.0.1:9/x"]
    ),
    JSON,
)  # fmt: skip
SCHEMAS = st.recursive(
    st.dictionaries(KEYWORDS, VALUES, max_size=4) | st.booleans(),
    lambda inner: st.one_of(
        st.dictionaries(KEYWORDS, inner, max_size=4),
        st.dictionaries(KEYWORDS, st.dictionaries(st.sampled_from(["a", "b", "^a"]), inner, max_size=3), max_size=3),
        st.dictionaries(KEYWORDS, st.lists(inner, max_size=3), max_size=2),
    ),
    max_leaves=10,
)


@given(st.one_of(JSON, SCHEMAS, SCHEMAS.map(lambda schema: {"type": "object", "properties": {"a": schema}})), JSON)
@settings(deadline=None, max_examples=300)
def test_whatever_comes_as_a_schema_gets_a_verdict_and_what_passes_can_be_used(schema: Any, value: Any) -> None:
    registry = a_registry()

    answer, seen = offer(schema, registry)

    if answer.state is ToolState.QUARANTINED:
        assert answer.reason
    else:
        assert seen is not None
        assert (seen["type"], type(seen["properties"])) == ("object", dict)
        result = found(registry.view(), "t").read_arguments({"a": value})
        assert isinstance(result, dict | InvalidArguments)


@given(st.binary(max_size=60))
def test_whatever_bytes_come_as_a_schema_get_a_verdict(text: bytes) -> None:
    answer = a_registry().offer(Phone("p"), [a_tool("t", text)], replace=True)[0]

    assert answer.state in (ToolState.QUARANTINED, ToolState.REPAIRED, ToolState.ACCEPTED)


@given(SCHEMAS)
def test_judging_a_schema_twice_gives_the_same(schema: Any) -> None:
    registry = a_registry()
    text = msgspec.json.encode({"type": "object", "properties": {"a": schema}})

    first = registry.offer(Phone("p"), [a_tool("t", text)], replace=True)
    second = registry.offer(Phone("p"), [a_tool("t", text)], replace=True)
    in_another = a_registry().offer(Phone("p"), [a_tool("t", text)], replace=True)

    assert first == second == in_another
