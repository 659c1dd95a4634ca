"""Every frame that goes out keeps the published schema and what old clients demand."""

from typing import Any

import msgspec
import pytest
from msgspec import Raw

from cetp_gateway.api import OfferedTool, ToolState, ToolVerdict, Usage
from cetp_gateway.devices import Capability, frames_out
from cetp_spec.schemas import validator
from support.devices import LIMITS

VERDICTS = [
    ToolVerdict(wire_name="a", public_name="a", state=ToolState.ACCEPTED),
    ToolVerdict(wire_name="", public_name="", state=ToolState.QUARANTINED, reason="no name"),
    ToolVerdict(wire_name="b c", public_name="b_c_12345678", state=ToolState.RENAMED, reason="blank"),
]
TOOL = OfferedTool(name="a", description="d", parameters=Raw(b'{"type":"object","x":18446744073709551616}'))
FRAMES = {
    "session_start": frames_out.session_start("s1", resumed=False, message_count=0),
    "session_start with a name": frames_out.session_start(
        "s1", resumed=True, message_count=2, name="Trip", persona="x"
    ),
    "connected": frames_out.connected((), LIMITS),
    "connected with extensions": frames_out.connected(frozenset(Capability), LIMITS),
    "tools_registered": frames_out.tools_registered(3, 2),
    "tools_registered with verdicts": frames_out.tools_registered(3, 3, verdicts=VERDICTS, revision=7),
    "registered_tools": frames_out.registered_tools([TOOL]),
    "tools_changed": frames_out.tools_changed(7),
    "chunk": frames_out.chunk("ü\n\u2028"),
    "thinking": frames_out.thinking("hm"),
    "tool_call": frames_out.tool_call("toolu_1", "notes__search", {"q": 1}),
    "tool_call without arguments": frames_out.tool_call("toolu_1", "notes__search", None),
    "tool_call_request": frames_out.tool_call_request("p-1", "a", {}),
    "tool_call_request with a deadline": frames_out.tool_call_request("p-1", "a", {}, deadline_ms=5, call_id="c"),
    "tool_call_cancel": frames_out.tool_call_cancel("p-1"),
    "result_acknowledged": frames_out.result_acknowledged('"'),
    "tool_result": frames_out.tool_result("toolu_1", "notes__search", "[]"),
    "debug_prompt": frames_out.debug_prompt([{"role": "user", "content": "hi"}], 12),
    "chunk_reset": frames_out.chunk_reset(),
    "done": frames_out.done("all"),
    "done with metrics": frames_out.done("all", usage=Usage(1, 2, 3), elapsed_ms=4),
    "title_updated": frames_out.title_updated("Trip"),
    "aborted": frames_out.aborted(),
    "abort_ack": frames_out.abort_ack(stopped=True),
    "abort_ack without a turn": frames_out.abort_ack(stopped=False),
    "error": frames_out.error("no", "SESSION_BUSY"),
    "error without a code": frames_out.error("no"),
    "agent_start": frames_out.agent_start("anthropic", "m"),
    "agent_end": frames_out.agent_end("anthropic", "m"),
}


def decoded(frame: str) -> dict[str, Any]:
    value = msgspec.json.decode(frame)
    assert isinstance(value, dict)
    return value


@pytest.mark.parametrize("name", FRAMES)
def test_a_frame_fits_the_published_schema(name: str) -> None:
    frame = decoded(FRAMES[name])
    assert frame["type"] == name.split(maxsplit=1)[0]
    assert list(validator("gateway-frame").iter_errors(frame)) == []


@pytest.mark.parametrize("name", FRAMES)
def test_no_frame_holds_null(name: str) -> None:
    assert "null" not in FRAMES[name]


def test_a_plain_client_is_told_no_more_than_it_knows() -> None:
    assert decoded(FRAMES["connected"]) == {"type": "connected", "v": 1, "message": "ok"}
    assert decoded(FRAMES["tools_registered"]) == {"type": "tools_registered", "count": 3, "registered": 2}
    assert decoded(FRAMES["tool_call_request"]) == {"type": "tool_call_request", "id": "p-1", "name": "a", "args": {}}
    assert decoded(FRAMES["session_start"]).keys() == {"type", "v", "session_id", "resumed", "message_count"}


def test_a_client_with_extensions_is_told_capabilities_and_limits() -> None:
    frame = decoded(frames_out.connected(frozenset({Capability.SHARED, Capability.CANCEL}), LIMITS))
    assert frame["capabilities"] == ["cetp.cancel", "cetp.shared"]
    assert frame["limits"]["message_bytes"] == LIMITS.message_bytes


def test_numbers_keep_all_their_digits() -> None:
    arguments = {"id": 9007199254740993, "max": 9223372036854775807, "over": 18446744073709551616}
    assert decoded(frames_out.tool_call_request("p-1", "a", arguments))["args"] == arguments
    assert decoded(FRAMES["registered_tools"])["tools"][0]["parameters"]["x"] == 18446744073709551616


def test_half_a_surrogate_pair_is_shown_as_unknown_and_breaks_nothing() -> None:
    assert decoded(frames_out.chunk("a\ud83d b"))["content"] == "a\ufffd b"
    assert decoded(frames_out.chunk("\ud83d\ude00"))["content"] == "😀"
    assert decoded(frames_out.tool_call("1", "a", {"q\udc00": ["\ud800"]}))["args"] == {"q\ufffd": ["\ufffd"]}
    assert msgspec.json.decode(decoded(frames_out.debug_prompt([{"c": "\ud800"}], 1))["messages"]) == [{"c": "\ufffd"}]
