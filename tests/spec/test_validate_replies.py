"""Reply Bundles and provider info as JSON."""

import json
from typing import Any

import pytest

from cetp_spec.validator import Severity, validate
from support.validating import only, rules_of, rules_of_value, success


@pytest.mark.requirement("cetp.1.free-data", "cetp.2.3.success", "cetp.2.3.result")
@pytest.mark.parametrize("data", [{"t": 1}, [], "text", 5, None, True, {"deep": [{"x": "ü"}]}])
def test_any_json_may_be_the_data_of_a_success(data: Any) -> None:
    assert rules_of_value(success(data)) == []


def test_json_in_json_is_a_warning_because_readers_differ() -> None:
    assert rules_of_value({"status": "success", "data": '{"t":1}'}) == []
    problem = only(json.dumps({"status": "success", "data": '"{\\"t\\":1}"'}))
    assert (problem.rule, problem.severity) == ("reply.data.encoded-twice", Severity.WARNING)


def test_text_that_only_looks_like_json_is_text() -> None:
    assert rules_of_value(success("[see below]")) == []


@pytest.mark.parametrize("data", ["ok", "", "{'t': 1}", '{"t": 1', "NaN?"])
def test_data_that_is_not_json_is_an_error_at_the_data(data: str) -> None:
    problem = only(json.dumps({"status": "success", "data": data}))
    assert (problem.rule, problem.place.pointer) == ("reply.data.not-json", "/data")


@pytest.mark.requirement("cetp.2.3.error")
@pytest.mark.parametrize(
    "code", ["PERMISSION_DENIED", "TOOL_NOT_FOUND", "INVALID_ARGS", "RATE_LIMITED", "INTERNAL_ERROR"]
)
def test_the_codes_need_nothing_but_a_message(code: str) -> None:
    assert rules_of_value({"status": "error", "error_code": code, "error_message": "Not now."}) == []


@pytest.mark.requirement("cetp.2.3.auth-required")
def test_the_example_of_an_authorisation_is_without_fault() -> None:
    reply = {
        "status": "error",
        "error_code": "AUTH_REQUIRED",
        "error_message": "用户尚未授权该数据范围",
        "resolution_hint": "请打开 App 完成授权",
        "authorize_intent": "com.example.app.ACTION_AUTHORIZE_CLAWSEED",
    }
    assert rules_of_value(reply) == []


@pytest.mark.requirement("cetp.2.5.unknown-fields")
def test_unknown_keys_are_ignored() -> None:
    assert rules_of_value(success(1) | {"took_ms": "5"}) == []


@pytest.mark.parametrize(
    ("letters", "expected"),
    [
        (100_000, []),
        (199_000, []),
        (200_000, ["reply.size.large"]),
        (400_000, ["reply.size.large"]),
        (520_000, ["reply.size.over"]),
        (1_200_000, ["reply.size.over"]),
    ],
)
def test_size_counts_two_bytes_per_character(letters: int, expected: list[str]) -> None:
    assert rules_of_value(success("x" * letters)) == expected


def test_characters_beyond_the_basic_plane_count_twice() -> None:
    for character, expected in (("é", []), ("😀", ["reply.size.large"])):
        reply = {"status": "success", "data": json.dumps(character * 120_000, ensure_ascii=False)}
        assert rules_of(json.dumps(reply, ensure_ascii=False)) == expected


@pytest.mark.parametrize("number", [9007199254740992, -9007199254740993, 18446744073709551616, 10**300])
def test_numbers_that_a_double_cannot_hold_are_better_strings(number: int) -> None:
    problem = only(json.dumps(success({"rows": [{"id": number}]})))
    assert (problem.rule, problem.place.pointer) == ("json.number-unsafe", "/data/rows/0/id")
    assert "strings" in problem.advice


def test_the_largest_exact_number_is_fine() -> None:
    assert rules_of_value(success({"id": 9007199254740991})) == []


@pytest.mark.requirement("cetp.2.3.provider-info")
def test_provider_info_is_found_bare_and_in_its_bundle() -> None:
    info = {"provider_name": "Notes", "description": "Your notes.", "scopes": [{"name": "all", "description": "All."}]}
    assert rules_of_value(info) == []
    assert rules_of_value(success(info)) == []
    broken = info | {"scopes": [{"description": "nameless"}]}
    (found,) = validate(json.dumps(success(broken)).encode())
    assert (found.rule, found.place.pointer) == ("info.structure", "/data/scopes/0")


def test_a_given_kind_overrides_what_the_content_looks_like() -> None:
    assert rules_of_value({"name": "x", "description": "y"}, kind="provider-info") == ["info.structure"]
    assert rules_of_value(success({"tools": []}), kind="list-tools") == ["tools.empty"]


def test_a_bare_list_of_tools_is_told_what_it_lacks() -> None:
    assert "a bare list" in only(json.dumps([{"name": "a", "description": "b"}])).message
