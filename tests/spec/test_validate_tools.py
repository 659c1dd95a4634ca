"""Answers to list_tools: names, descriptions and schemas, and what becomes of them elsewhere."""

from typing import Any

import pytest

from cetp_spec.validator import Severity, check, input_of, validate
from cetp_spec.writing_words import writing_word
from support.manifests import provider_app
from support.validating import json_bytes, listed, only, rules, rules_of_value, success, tool

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
MIXED = {
    "type": "object",
    "properties": {
        "mode": {"type": ["string", "null"], "enum": ["on", "off"]},
        "n": {"type": "integer", "minimum": 0, "exclusiveMinimum": True},
        "rows": {"type": ["array", "null"], "items": {"type": ["object", "null"], "properties": {"v": True}}},
        "unit": {"type": "string", "enum": ["C", ""]},
    },
}
PLACE = "/tools/0/parameters"


def places(value: Any) -> dict[str, str]:
    """Pointer by rule."""
    return {found.rule: found.place.pointer or "" for found in validate(json_bytes(value))}


@pytest.mark.requirement("cetp.1.json-schema", "cetp.2.3.list-tools", "cetp.2.3.parameters")
def test_a_good_list_is_without_fault_bare_and_in_its_bundle() -> None:
    good = listed(tool({"type": "object", "properties": {"day": {"type": "string", "format": "date"}}}))
    assert rules_of_value(good) == []
    assert rules_of_value(success(good)) == []


def test_a_fault_inside_a_bundle_has_a_pointer_through_its_data() -> None:
    (found,) = validate(json_bytes(success(listed(tool(description="")))))
    assert (found.rule, found.place.pointer) == ("tool.description.missing", "/data/tools/0/description")


def test_a_combinator_at_the_root_is_a_warning() -> None:
    problem = only(json_bytes(listed(tool(CHOICE))))
    assert (problem.rule, problem.severity) == ("tool.schema.root-combinator", Severity.WARNING)


def test_a_choice_below_the_root_is_fine() -> None:
    inner = {"type": "object", "properties": {"x": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}}
    assert rules_of_value(listed(tool(inner))) == []


@pytest.mark.parametrize("name", ["meter.read/now", "día", "get notes"])
def test_names_that_models_do_not_take_are_warned_about(name: str) -> None:
    assert rules_of_value(listed(tool(name=name))) == ["tool.name.characters"]


def test_a_name_that_is_too_long_only_with_its_label_is_warned_about() -> None:
    name = "read_hourly_consumption_by_appliance"
    assert rules_of_value(listed(tool(name=name))) == []
    package = "org.example.energymeterhomeautomationdashboard"
    assert rules_of_value(listed(tool(name=name)), application_id=package) == ["tool.name.shortened"]


@pytest.mark.parametrize(("letters", "expected"), [(57, []), (58, ["tool.name.shortened"])])
def test_64_characters_with_the_label_pass_and_65_do_not(letters: int, expected: list[str]) -> None:
    found = rules_of_value(listed(tool(name="n" * letters)), application_id="org.example.notes")
    assert found == expected


@pytest.mark.requirement("cetp.2.3.tool-name")
def test_two_tools_of_one_name_are_an_error_at_the_second() -> None:
    assert places(listed(tool(), tool(name="other"), tool()))["tool.name.duplicate"] == "/tools/2/name"


@pytest.mark.parametrize("parameters", [None, {}, {"type": "object"}, {"type": "object", "properties": {}}])
def test_no_parameters_may_be_said_in_several_ways(parameters: Any) -> None:
    assert rules_of_value(listed(tool() | {"parameters": parameters})) == []
    assert rules_of_value(listed({"name": "get_notes", "description": "Notes."})) == []


@pytest.mark.parametrize("properties", [[], None])
def test_properties_that_are_no_object_are_an_error(properties: Any) -> None:
    found = places(listed(tool({"type": "object", "properties": properties})))
    assert found == {"tool.schema.invalid": f"{PLACE}/properties"}


@pytest.mark.parametrize("parameters", [[], "none", True, 5])
def test_parameters_that_are_no_object_are_an_error(parameters: Any) -> None:
    assert rules_of_value(listed(tool() | {"parameters": parameters})) == ["tool.schema.root"]


def test_a_recursive_schema_is_a_warning_and_no_error() -> None:
    assert rules_of_value(listed(tool(TREE))) == ["tool.schema.ref-recursive"]


def test_loops_and_dangling_references_name_their_tool() -> None:
    loop = {"type": "object", "properties": {"x": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/a"}}}
    dangling = {"type": "object", "properties": {"x": {"$ref": "#/$defs/gone"}}}
    found = validate(json_bytes(listed(tool(loop, name="loop"), tool(dangling, name="dangling"))))
    assert rules(found) == ["tool.schema.ref-loop", "tool.schema.ref-dangling"]
    assert [item.message.split(":")[0] for item in found] == ['tool "loop"', 'tool "dangling"']


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"anyOf": [{"$ref": "#/$defs/a"}]}}},
        {"$defs": {"a": {"$anchor": "here", "not": {"$ref": "#here"}}}},
        {"$defs": {"a b": {"if": {"$ref": "#/$defs/a%20b"}}}},
    ],
)
def test_every_loop_that_consumes_nothing_is_found(schema: dict[str, Any]) -> None:
    assert "tool.schema.ref-loop" in rules_of_value(listed(tool({"type": "object", "properties": {}} | schema)))


@pytest.mark.parametrize("reference", ["https://json-schema.org/draft/2020-12/schema", "other.json#/x", "urn:x"])
def test_references_that_leave_the_schema_are_errors_and_are_not_followed(reference: str) -> None:
    schema = {"type": "object", "properties": {"x": {"$ref": reference}}}
    assert rules_of_value(listed(tool(schema))) == ["tool.schema.ref-remote"]


def test_each_portability_fault_stands_at_its_own_place() -> None:
    assert places(listed(tool(MIXED))) == {
        "tool.schema.invalid": f"{PLACE}/properties/n/exclusiveMinimum",
        "tool.schema.type-list": f"{PLACE}/properties/mode/type",
        "tool.schema.never-null": f"{PLACE}/properties/mode/enum",
        "tool.schema.boolean": f"{PLACE}/properties/rows/items/properties/v",
        "tool.schema.empty-choice": f"{PLACE}/properties/unit/enum",
    }


def test_the_same_fault_in_many_places_is_said_once_with_a_number() -> None:
    many = {"type": "object", "properties": {f"p{n}": {"type": ["string", "null"]} for n in range(30)}}
    assert "(and 29 more in this schema)" in only(json_bytes(listed(tool(many)))).message


def test_additional_properties_may_be_a_boolean() -> None:
    assert rules_of_value(listed(tool({"type": "object", "properties": {}, "additionalProperties": False}))) == []


def test_an_invalid_schema_costs_only_its_own_tool() -> None:
    found = validate(json_bytes(listed(tool({"type": "objekt"}, name="bad"), tool())))
    assert all('"bad"' in item.message for item in found)
    assert found


@pytest.mark.requirement("cetp.1.read-only", "cetp.1.no-write-protocol", "cetp.2.3.read-only")
@pytest.mark.parametrize(
    "name",
    [
        "delete_note",
        "note_delete",
        "sendMessage",
        "createEvent",
        "order_pizza",
        "setAlarm",
        "post_comment",
        "PAY",
        "update",
    ],
)
def test_names_that_say_they_write(name: str) -> None:
    assert writing_word(name)
    assert "tool.writes" in rules_of_value(listed(tool(name=name)))


@pytest.mark.parametrize(
    "name",
    [
        "get_notes", "list_deleted", "find_order", "order_history", "orders", "search_posts", "latest_post", "settings",
        "update_time", "is_locked", "count_sent_messages", "getUpdates", "notes", "address_book", "training_set", "",
    ],
)  # fmt: skip
def test_names_that_only_read(name: str) -> None:
    assert writing_word(name) is None


def test_the_id_of_the_only_provider_among_the_inputs_decides_the_label() -> None:
    app = input_of(provider_app(package="org.example.energymeterhomeautomationdashboard").encode(), "app.xml")
    tools = input_of(json_bytes(listed(tool(name="read_hourly_consumption_by_appliance"))), "tools.json")
    assert [item.rule for item in check([tools, app]).problems] == ["tool.name.shortened"]
