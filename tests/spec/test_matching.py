"""The matching language of the conversations (spec 14.4)."""

from typing import Any

import pytest

from cetp_spec.matching import fill, mismatch


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        ({"type": "done"}, {"type": "done", "full_response": "more keys are free"}),
        ({"a": {"$any": "string"}}, {"a": "x"}),
        ({"a": {"$any": "integer"}}, {"a": 18446744073709551616}),
        ({"a": {"$any": "number"}}, {"a": 1}),
        ({"a": {"$any": "value"}}, {"a": False}),
        ({"a": {"$absent": True}}, {"b": 1}),
        ([{"$any": "array"}, 1], [[], 1]),
        ({}, {"anything": 1}),
        ({"$unordered": ["a", {"$any": "integer"}, "a"]}, ["a", "a", 1]),
    ],
)
def test_what_fits(pattern: Any, value: Any) -> None:
    assert mismatch(pattern, value, {}) is None


@pytest.mark.parametrize(
    ("pattern", "value", "where"),
    [
        ({"type": "done"}, {"type": "chunk"}, "/type: 'chunk' is not 'done'"),
        ({"a": 1}, {}, ": 'a' is missing"),
        ({"a": {"b": [1, {"c": 2}]}}, {"a": {"b": [1, {"c": 3}]}}, "/a/b/1/c: 3 is not 2"),
        ({"a": {"$any": "integer"}}, {"a": True}, "/a: True is no integer"),
        ({"a": {"$any": "string"}}, {"a": None}, "/a: None is no string"),
        ({"a": {"$any": "string"}}, {}, ": 'a' is missing"),
        ({"a": {"$absent": True}}, {"a": None}, "/a: must not be there"),
        ({"a": 1}, {"a": True}, "/a: True is not 1"),
        ([1], [1, 2], ": [1, 2] is no list of 1"),
        ({"a": 1}, [], ": [] is no object"),
        ({"a": {"$unordered": [1, 2]}}, {"a": [2, 2]}, "/a/1: 2 fits none of [1]"),
        ({"$unordered": [1, 2]}, [1], ": [1] is no list of 2"),
    ],
)
def test_what_does_not_fit_and_where(pattern: Any, value: Any, where: str) -> None:
    assert mismatch(pattern, value, {}) == where


def test_a_saved_value_is_found_again_and_sent_again() -> None:
    saved: dict[str, Any] = {}
    assert mismatch({"id": {"$any": "string", "$save": "call"}}, {"id": "7d1e"}, saved) is None
    assert mismatch({"id": {"$saved": "call"}}, {"id": "7d1e"}, saved) is None
    assert mismatch({"id": {"$saved": "call"}}, {"id": "other"}, saved) == "/id: 'other' is not the 'call' of before"
    assert fill({"type": "tool_result", "ids": [{"$saved": "call"}]}, saved) == {"type": "tool_result", "ids": ["7d1e"]}


def test_a_value_is_saved_from_a_list_in_any_order() -> None:
    saved: dict[str, Any] = {}
    pattern = {"$unordered": [{"name": "a", "id": {"$save": "first"}}, {"name": "b", "id": {"$save": "second"}}]}
    assert mismatch(pattern, [{"name": "b", "id": 2}, {"name": "a", "id": 1}], saved) is None
    assert saved == {"first": 1, "second": 2}


def test_nothing_is_saved_from_what_does_not_fit() -> None:
    saved: dict[str, Any] = {}
    assert mismatch({"id": {"$save": "call"}, "type": "done"}, {"id": "7d1e", "type": "chunk"}, saved) is not None
    assert saved == {}


def test_sending_what_was_never_saved_is_an_error() -> None:
    with pytest.raises(KeyError, match="call"):
        fill({"id": {"$saved": "call"}}, {})
