"""Frames from text: the fast way, the tolerant way, and everything that is no frame."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cetp_gateway.devices.decode import decode
from cetp_gateway.devices.frames import (
    FRAME_TYPES,
    AbortTurn,
    Connect,
    DeviceFrame,
    Message,
    ToolError,
    ToolResult,
    Unreadable,
)
from cetp_spec.vectors import Vector, vectors
from support.devices import LIMITS, limits

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)
RIGHT_FRAMES = [vector for vector in vectors() if vector.schema == "device-frame" and vector.valid]
FIELDS = sorted({name for frame in FRAME_TYPES.values() for name in frame.__struct_fields__})


def read(**frame: Any) -> Any:
    return decode(msgspec.json.encode(frame).decode(), LIMITS)


def code_of(text: str) -> str:
    answer = decode(text, LIMITS)
    assert isinstance(answer, Unreadable), answer
    return answer.code


@pytest.mark.parametrize("vector", RIGHT_FRAMES, ids=lambda vector: vector.name)
def test_every_frame_that_the_specification_calls_right_is_read(vector: Vector) -> None:
    frame = read(**vector.data)
    assert type(frame) is FRAME_TYPES[vector.data["type"]]


def test_fields_arrive_as_they_were_sent() -> None:
    assert read(type="tool_result", id="7", output="ünï", success=False, error="no") == ToolResult(
        id="7", output="ünï", success=False, error="no"
    )
    assert read(type="message", content="hi", debug=True) == Message(content="hi", debug=True)
    assert read(type="abort") == AbortTurn()


def test_success_is_true_unless_it_is_false() -> None:
    assert read(type="tool_result", id="7", output="x").success is True
    assert read(type="tool_result", id="7", output="x", success="no").success is True
    assert read(type="tool_result", id="7", output="x", success=False).success is False


def test_an_output_that_is_no_text_counts_as_its_json_with_all_digits() -> None:
    text = '{"type":"tool_result","id":"7","output":{"id": 18446744073709551616, "x": 1.10}}'
    assert decode(text, LIMITS) == ToolResult(id="7", output='{"id": 18446744073709551616, "x": 1.10}')


def test_an_output_of_null_is_empty() -> None:
    assert read(type="tool_result", id="7", output=None) == ToolResult(id="7")


def test_fields_of_a_wrong_type_count_as_absent() -> None:
    assert read(type="message", content=7, debug="yes") == Message()
    assert read(type="tool_result", id=7, output="x") == ToolResult(output="x")
    assert read(type="tool_error", id="7", error={"a": 1}, error_code=3) == ToolError(id="7")
    assert read(type="connect", device_id=1, device_name=[], capabilities="all").device_id is None
    assert read(type="register_tools", tools=[], replace="yes").replace is False


def test_a_wrong_field_does_not_cost_the_others() -> None:
    frame = read(type="connect", device_id=1, device_name="pixel", capabilities=["a"])
    assert isinstance(frame, Connect)
    assert (frame.device_name, bytes(frame.capabilities)) == ("pixel", b'["a"]')


def test_unknown_fields_are_ignored() -> None:
    assert read(type="message", content="hi", colour={"deep": [1, 2]}) == Message(content="hi")


@pytest.mark.parametrize("text", ["[1,2]", "3", "null", '"text"', "{}", '{"kind":"message"}', '{"type":7}', "[]"])
def test_json_that_is_no_frame_is_an_unknown_type(text: str) -> None:
    assert code_of(text) == "UNKNOWN_MESSAGE_TYPE"


def test_an_unknown_type_is_named_but_not_at_any_length() -> None:
    answer = read(type="dance" * 1000)
    assert isinstance(answer, Unreadable)
    assert '"dancedance' in answer.message
    assert len(answer.message) < 300
    assert "register_tools" in answer.message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "{oops",
        "[1,2",
        '{"type":"message"',
        '{"type":"message"} x',
        '{"type":"message","content":"\\ud800"}',
        '{"type":"message","other":"\\ud800"}',
        '{"type":"message","content":"\ud800"}',
        '{"type":7,"x":01}',
        "\ufeff{}",
        "[" * 100_000,
        '{"type":"register_tools","tools":' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"type":7,"x":' + "[" * 100_000 + "]" * 100_000 + "}",
    ],
    ids=range(14),
)
def test_what_is_no_json_or_too_deep_is_invalid_json(text: str) -> None:
    assert code_of(text) == "INVALID_JSON"


def test_the_limit_counts_bytes_of_the_whole_frame() -> None:
    head = '{"type":"message","content":"'
    room = 2048 - len(head) - 2
    bounds = limits(message_bytes=2048)
    assert isinstance(decode(head + "a" * room + '"}', bounds), Message)
    assert isinstance(decode(head + "é" * (room // 2) + '"}', bounds), Message)
    for text in (head + "a" * (room + 1) + '"}', head + "é" * (room // 2 + 1) + '"}'):
        answer = decode(text, bounds)
        assert isinstance(answer, Unreadable)
        assert answer.code == "MESSAGE_TOO_LARGE"
        assert "limits.message_bytes" in answer.message


@given(st.text())
def test_no_text_breaks_the_decoder(text: str) -> None:
    assert isinstance(decode(text, LIMITS), DeviceFrame | Unreadable)


@given(st.sampled_from([*FRAME_TYPES, "dance"]), st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_every_frame_of_a_known_type_is_read_whatever_its_fields_are(kind: str, fields: dict[str, Any]) -> None:
    frame = read(**{**fields, "type": kind})
    assert isinstance(frame, Unreadable) if kind == "dance" else type(frame) is FRAME_TYPES[kind]


@given(JSON)
def test_every_json_value_gets_an_answer(value: Any) -> None:
    assert isinstance(decode(msgspec.json.encode(value).decode(), LIMITS), DeviceFrame | Unreadable)
