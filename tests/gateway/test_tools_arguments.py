"""Arguments of a call: checked before the phone is asked, mended where it is plain what was meant, never harmful."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cetp_gateway.api import ArgumentProblem, InvalidArguments, RegisteredTool
from cetp_gateway.settings.limits import LimitSettings
from support.tool_hosts import Phone, a_registry, a_tool, found

TESTS = Path(__file__).parent.parent

ORDERS = {
    "type": "object",
    "properties": {
        "filter": {"type": "object", "properties": {"day": {"type": "string"}, "tags": {"type": "array"}}},
        "note": {"type": "string"},
        "any": {},
        "ids": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]},
        "either": {"type": ["object", "string"]},
        "unit": {"enum": ["C", "F"]},
        "count": {"type": "integer", "minimum": 1, "maximum": 5},
        "code": {"type": "string", "pattern": "^[a-z]{3}$", "maxLength": 3},
    },
    "additionalProperties": False,
}


def tool_with(parameters: Any, limits: LimitSettings | None = None) -> RegisteredTool:
    registry = a_registry(limits=limits)
    registry.offer(Phone("p"), [a_tool("t", parameters)], replace=True)
    return found(registry.view(), "t")


def problems(tool: RegisteredTool, arguments: Any) -> list[ArgumentProblem]:
    result = tool.read_arguments(arguments)
    assert isinstance(result, InvalidArguments), result
    return list(result.problems)


def test_arguments_that_fit_are_passed_on_as_they_are() -> None:
    arguments = {"filter": {"day": "2026-01-01"}, "note": "n", "count": 5, "unit": "C", "code": "abc", "ids": None}

    assert tool_with(ORDERS).read_arguments(arguments) is arguments


def test_an_object_in_quotes_is_unpacked_where_an_object_is_asked_for_and_text_stays_text() -> None:
    quoted = '{"day":"2026-01-01"}'

    result = tool_with(ORDERS).read_arguments({"filter": quoted, "note": '{"a":1}', "any": quoted, "either": quoted})

    assert result == {"filter": {"day": "2026-01-01"}, "note": '{"a":1}', "any": quoted, "either": quoted}


def test_a_list_in_quotes_is_unpacked_where_one_of_several_forms_is_a_list() -> None:
    assert tool_with(ORDERS).read_arguments({"ids": "[1, 2]"}) == {"ids": [1, 2]}


def test_quotes_within_quotes_are_unpacked() -> None:
    arguments = {"filter": msgspec.json.encode({"tags": '["a"]'}).decode()}

    assert tool_with(ORDERS).read_arguments(arguments) == {"filter": {"tags": ["a"]}}


@pytest.mark.parametrize("text", ["[1]", "{", "today", "", "5", "null"])
def test_text_that_holds_no_object_is_an_error_where_an_object_is_asked_for(text: str) -> None:
    assert problems(tool_with(ORDERS), {"filter": text}) == [ArgumentProblem("/filter", "must be an object")]


def test_the_whole_encoded_twice_is_unpacked_once() -> None:
    tool = tool_with(ORDERS)

    assert tool.read_arguments('{"note":"n"}') == {"note": "n"}
    assert problems(tool, '"{}"') == [ArgumentProblem("", "must be an object")]


@pytest.mark.parametrize("nothing", [{}, None, "", "  "])
def test_no_arguments_at_all_are_an_empty_object(nothing: Any) -> None:
    assert tool_with(ORDERS).read_arguments(nothing) == {}


@pytest.mark.parametrize("arguments", [[], [1], 5, True, "text", '{"a":', 2.5, b"{}", object()])
def test_what_is_no_object_is_an_error(arguments: Any) -> None:
    assert problems(tool_with(ORDERS), arguments)[0].pointer == ""


def test_mending_leaves_the_callers_own_object_alone() -> None:
    sent = {"filter": '{"day":"1"}'}

    tool_with(ORDERS).read_arguments(sent)

    assert sent == {"filter": '{"day":"1"}'}


def test_large_numbers_keep_all_their_digits() -> None:
    numbers = {"id": 9007199254740993, "max": 9223372036854775807, "over": 18446744073709551616, "huge": 10**40 + 1}
    properties = {name: {"type": "integer", "minimum": 9007199254740993} for name in numbers}
    tool = tool_with({"type": "object", "properties": {**properties, "o": {"type": "object"}}})

    assert tool.read_arguments(msgspec.json.decode(msgspec.json.encode(numbers))) == numbers
    assert tool.read_arguments({**numbers, "o": '{"n":18446744073709551617}'}) == {
        **numbers,
        "o": {"n": 18446744073709551617},
    }
    assert problems(tool, {"id": 9007199254740992}) == [ArgumentProblem("/id", "must be at least 9007199254740993")]


@pytest.mark.parametrize(
    ("arguments", "pointer", "message"),
    [
        ({"unit": "K"}, "/unit", 'must be one of "C", "F"'),
        ({"count": 6}, "/count", "must be at most 5"),
        ({"count": 0}, "/count", "must be at least 1"),
        ({"count": "3"}, "/count", "must be an integer"),
        ({"code": "abcd"}, "/code", "must have at most 3 characters"),
        ({"code": "ABC"}, "/code", "does not match the schema's pattern"),
        ({"colour": 1}, "", "must not have 'colour'"),
        ({"ids": ["a"]}, "/ids", "fits none of the forms that the schema allows"),
        ({"filter": {"tags": "a"}}, "/filter/tags", "must be an array"),
    ],
)
def test_a_problem_is_told_with_its_place_and_what_was_expected(
    arguments: dict[str, Any], pointer: str, message: str
) -> None:
    assert problems(tool_with(ORDERS), arguments)[0] == ArgumentProblem(pointer, message)


def test_a_missing_property_is_named() -> None:
    tool = tool_with({"type": "object", "properties": {"a/b~c": {}}, "required": ["a/b~c"]})

    assert problems(tool, {}) == [ArgumentProblem("", "lacks 'a/b~c'")]


def test_pointers_escape_slashes_and_tildes() -> None:
    tool = tool_with({"type": "object", "properties": {"a/b~c": {"items": {"type": "null"}}}})

    assert problems(tool, {"a/b~c": [None, 1]}) == [ArgumentProblem("/a~1b~0c/1", "must be null")]


def test_problems_never_repeat_what_was_sent_at_length() -> None:
    tool = tool_with({**ORDERS, "propertyNames": {"maxLength": 8}})
    secret = "s3cret" * 10_000

    told = problems(
        tool, {"unit": secret, "count": secret, "filter": secret, secret: 1, "ids": [secret], "code": secret}
    )

    assert "s3cret" not in "".join(problem.message for problem in told if "must not have" not in problem.message)
    assert all(len(problem.message) < 300 and len(problem.pointer) <= 200 for problem in told)


def test_only_the_first_problems_are_told() -> None:
    tool = tool_with({"type": "object", "properties": {"a": {"items": {"type": "string"}}}})

    assert len(problems(tool, {"a": list(range(1000))})) == 8


def test_arguments_beyond_the_limits_are_refused_and_the_limit_is_named() -> None:
    tool = tool_with({"type": "object", "properties": {}}, LimitSettings(argument_bytes=1024, argument_depth=8))
    nested: Any = 1
    for _ in range(7):
        nested = [nested]

    assert isinstance(tool.read_arguments({"a": "x" * 1000}), dict)
    assert "limits.argument_bytes" in problems(tool, {"a": "x" * 1024})[0].message
    assert isinstance(tool.read_arguments({"a": nested}), dict)
    assert "limits.argument_depth" in problems(tool, {"a": [nested]})[0].message


def test_the_limits_hold_for_what_was_in_quotes_too() -> None:
    tool = tool_with({"type": "object", "properties": {"a": {"type": "array"}}}, LimitSettings(argument_depth=8))

    assert tool.read_arguments({"a": "[[1]]"}) == {"a": [[1]]}
    assert "limits.argument_depth" in problems(tool, {"a": "[" * 20 + "]" * 20})[0].message


@pytest.mark.parametrize("arguments", [{"a": {1, 2}}, {1: 2}, {"a": object()}, {"a": "\ud800"}, {"\ud800": 1}])
def test_values_that_are_no_json_never_raise(arguments: Any) -> None:
    result = tool_with({"type": "object", "properties": {"a": {"type": "integer"}}}).read_arguments(arguments)

    assert isinstance(result, InvalidArguments)


def test_a_pattern_with_look_around_is_checked() -> None:
    tool = tool_with({"type": "object", "properties": {"a": {"pattern": "^(?=.*[A-Z])(?=.*[0-9]).{8,}$"}}})

    assert tool.read_arguments({"a": "Passw0rds"}) == {"a": "Passw0rds"}
    assert problems(tool, {"a": "password"})[0].pointer == "/a"


def test_a_pattern_that_is_too_costly_is_left_to_the_app() -> None:
    tool = tool_with({"type": "object", "properties": {"a": {"type": "string", "pattern": r"^\p{L}{500}$"}}})

    assert tool.read_arguments({"a": "5"}) == {"a": "5"}
    assert problems(tool, {"a": 5})[0].message == "must be a string"


def test_a_pattern_that_gives_up_is_left_to_the_app() -> None:
    tool = tool_with({"type": "object", "properties": {"a": {"pattern": r"^(?:(\w)\w*)*\1#$"}}})

    assert problems(tool, {"a": "b"})[0].pointer == "/a"
    assert tool.read_arguments({"a": "ab" * 30 + "!"}) == {"a": "ab" * 30 + "!"}


def test_a_pattern_is_checked_in_every_call_anew() -> None:
    tool = tool_with(ORDERS)
    for _ in range(3000):
        assert tool.read_arguments({"code": "abc"}) == {"code": "abc"}

    assert problems(tool, {"code": "ABC"})[0].pointer == "/code"


def test_patterns_beyond_the_limit_of_a_schema_are_left_to_the_app() -> None:
    properties = {f"p{number}": {"pattern": "^a$"} for number in range(4)}
    tool = tool_with({"type": "object", "properties": properties}, LimitSettings(schema_patterns=2))

    assert len(problems(tool, dict.fromkeys(properties, "b"))) == 2


def test_hostile_schemas_and_arguments_are_answered_in_time() -> None:
    """In a process of its own: what holds the interpreter's lock cannot be stopped from within."""
    command = [sys.executable, "-m", "support.hostile_arguments"]

    ended = subprocess.run(command, cwd=TESTS, timeout=40, check=False, capture_output=True, text=True)

    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.splitlines()[-1] == "all answered"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=15,
)


@given(st.one_of(JSON, st.dictionaries(st.sampled_from(list(ORDERS["properties"])), JSON)))  # type: ignore[call-overload]
@settings(deadline=None)
def test_any_arguments_are_taken_or_refused_and_what_is_taken_is_an_object(arguments: Any) -> None:
    result = tool_with(ORDERS).read_arguments(arguments)

    if isinstance(result, InvalidArguments):
        assert result.problems
    else:
        assert isinstance(result, dict)


@given(st.dictionaries(st.text(max_size=10), JSON, max_size=4))
@settings(deadline=None)
def test_quoting_an_object_does_not_change_what_is_read(value: dict[str, Any]) -> None:
    tool = tool_with({"type": "object", "properties": {"o": {"type": "object"}}})
    sent = msgspec.json.decode(msgspec.json.encode({"o": value}))
    quoted = {"o": msgspec.json.encode(value).decode()}

    assert tool.read_arguments(quoted) == tool.read_arguments(sent) == sent
