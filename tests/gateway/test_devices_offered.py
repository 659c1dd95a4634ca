"""Lists that devices send: good entries are taken, bad ones cost themselves alone, and length is bounded."""

from typing import Any

import msgspec
import pytest
from msgspec import Raw

from cetp_gateway.api import Effect, OfferedTool
from cetp_gateway.devices.frames import ABSENT
from cetp_gateway.devices.offered import SMALL_LIST_BYTES, first_entries, read_texts, read_tools
from support.devices import tool_entry


def raw(value: Any) -> Raw:
    return Raw(msgspec.json.encode(value))


def names(*entries: Any, most: int = 100) -> list[str]:
    return [tool.name for tool in read_tools(raw(entries), most).tools]


def test_a_tool_comes_with_its_parameters_unread() -> None:
    (tool,) = read_tools(Raw(b'[{"name":"a","description":"d","parameters": {"x": 1.10} }]'), 10).tools
    assert (tool.name, tool.description, bytes(tool.parameters)) == ("a", "d", b'{"x": 1.10}')
    assert (tool.effect, tool.app) == (Effect.UNKNOWN, "")


def test_parameters_may_be_any_json() -> None:
    values: list[Any] = [None, {}, "x", 7]
    tools = read_tools(raw([{"name": "a", "description": "", "parameters": value} for value in values]), 10)
    assert [bytes(tool.parameters) for tool in tools.tools] == [b"null", b"{}", b'"x"', b"7"]


def test_effect_and_app_are_taken_where_the_client_says_them() -> None:
    (tool,) = read_tools(
        raw([tool_entry("a", effect="reads", provider={"package": "com.example.notes", "label": "Notes"})]), 10
    ).tools
    assert (tool.effect, tool.app) == (Effect.READS, "com.example.notes")


@pytest.mark.parametrize(
    "more", [{"effect": "deletes"}, {"effect": 7}, {"provider": "x"}, {"provider": {"package": 1}}]
)
def test_a_wrong_extra_field_does_not_cost_the_tool(more: dict[str, Any]) -> None:
    assert read_tools(raw([tool_entry("a", **more)]), 10).tools[0].effect is Effect.UNKNOWN


@pytest.mark.parametrize(
    "entry", [{"name": "b", "parameters": {}}, {"name": 7, "description": "d", "parameters": {}}, "text", None, [], 1]
)
def test_a_bad_entry_is_left_out_and_counted(entry: Any) -> None:
    offer = read_tools(raw([tool_entry("a"), entry, tool_entry("c")]), 10)
    assert [tool.name for tool in offer.tools] == ["a", "c"]
    assert (offer.count, offer.cut) == (3, False)


def test_a_bad_entry_in_a_long_list_is_left_out_too() -> None:
    entries = [tool_entry("a", "d" * SMALL_LIST_BYTES), {"name": 7}, tool_entry("c")]
    assert names(*entries) == ["a", "c"]


@pytest.mark.parametrize("value", [None, "none", {}, 7, True])
def test_what_is_no_list_counts_as_an_empty_one(value: Any) -> None:
    assert read_tools(raw(value), 10) == read_tools(ABSENT, 10)
    assert read_tools(raw(value), 10).count == 0


@pytest.mark.parametrize("size", [1, SMALL_LIST_BYTES], ids=["short", "long"])
def test_entries_beyond_the_limit_are_not_read(size: int) -> None:
    offer = read_tools(raw([tool_entry(f"t{number}", "d" * (size // 4)) for number in range(6)]), 5)
    assert [tool.name for tool in offer.tools] == ["t0", "t1", "t2", "t3", "t4"]
    assert (offer.count, offer.cut) == (5, True)


def test_exactly_the_limit_is_read_whole() -> None:
    for size in (1, SMALL_LIST_BYTES):
        offer = read_tools(raw([tool_entry(f"t{number}", "d" * (size // 4)) for number in range(5)]), 5)
        assert (offer.count, offer.cut) == (5, False)


def test_no_more_objects_are_made_of_a_list_than_were_asked_for() -> None:
    entries, cut = first_entries(Raw(b"[" + b",".join([b"1"] * 1_000_000) + b"]"), 3)
    assert ([bytes(entry) for entry in entries], cut) == ([b"1", b"1", b"1"], True)


def test_texts_are_taken_and_other_entries_left_out() -> None:
    assert read_texts(raw(["a", 7, None, "b", ["c"]]), 10) == ["a", "b"]
    assert read_texts(raw(["a", "b", "c"]), 2) == ["a", "b"]
    assert read_texts(raw([]), 2) == []


@pytest.mark.parametrize("value", [None, "a", {"0": "a"}, 7])
def test_what_is_no_list_of_texts_is_told_apart_from_an_empty_one(value: Any) -> None:
    assert read_texts(raw(value), 10) is None


def test_an_offer_is_a_list_of_the_registrys_own_type() -> None:
    assert all(isinstance(tool, OfferedTool) for tool in read_tools(raw([tool_entry("a")]), 10).tools)
