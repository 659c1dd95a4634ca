"""One socket's protocol without a socket: frames in, events out."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from cetp_gateway.api import Answered, Refused
from cetp_gateway.devices.call_table import CallTable
from cetp_gateway.devices.capabilities import Capability
from cetp_gateway.devices.decode import decode
from cetp_gateway.devices.events import (
    Abort,
    AnswerReceived,
    CallAnswered,
    Connected,
    Event,
    ListAsked,
    Misread,
    Regenerate,
    ToolsOffered,
    ToolsWithdrawn,
    UserMessage,
)
from cetp_gateway.devices.protocol import DeviceProtocol
from cetp_gateway.settings.limits import LimitSettings
from support.devices import LIMITS, limits, tool_entry


class Device:
    """A protocol that is spoken to in plain frames; its calls are known by numbers."""

    def __init__(self, bounds: LimitSettings = LIMITS) -> None:
        self.protocol: DeviceProtocol[int] = DeviceProtocol(bounds, "p-")
        self._limits = bounds

    def says(self, **frame: Any) -> tuple[Event[int], ...]:
        return self.says_text(msgspec.json.encode(frame).decode())

    def says_text(self, text: str) -> tuple[Event[int], ...]:
        return self.protocol.receive(decode(text, self._limits))

    def connects(self, *capabilities: str, **more: Any) -> tuple[Event[int], ...]:
        return self.says(type="connect", v=1, capabilities=list(capabilities), **more)

    def is_asked(self, token: int) -> str:
        return self.protocol.calls.open(token, 1.0)


@pytest.fixture
def device() -> Device:
    return Device()


def code_of(events: tuple[Event[int], ...]) -> str:
    (event,) = events
    assert isinstance(event, Misread)
    return event.code


def test_an_answer_reaches_the_call_it_belongs_to(device: Device) -> None:
    first, second = device.is_asked(1), device.is_asked(2)
    assert device.says(type="tool_result", id=second, output="two") == (
        AnswerReceived(second),
        CallAnswered(2, Answered("two")),
    )
    assert device.says(type="tool_error", id=first, error="[AUTH_REQUIRED] sign in") == (
        AnswerReceived(first),
        CallAnswered(1, Refused("AUTH_REQUIRED", "sign in")),
    )
    assert len(device.protocol.calls) == 0


def test_second_late_and_unknown_answers_are_acknowledged_and_dropped(device: Device) -> None:
    call, late = device.is_asked(1), device.is_asked(2)
    device.says(type="tool_result", id=call, output="first")
    device.protocol.calls.take(late)
    for call_id in (call, late, "no-such-call"):
        assert device.says(type="tool_result", id=call_id, output="again") == (AnswerReceived(call_id),)


@pytest.mark.parametrize("answer", [{"output": "lost"}, {"output": "lost", "id": ""}, {"output": "lost", "id": 7}])
def test_an_answer_without_an_id_is_dropped_and_the_call_stays_open(device: Device, answer: dict[str, Any]) -> None:
    device.is_asked(1)
    assert device.says(type="tool_result", **answer) == ()
    assert device.says(type="tool_error", **answer) == ()
    assert len(device.protocol.calls) == 1


def test_an_answer_counts_only_where_the_call_was_asked() -> None:
    asked, other = Device(), Device()
    other.protocol.calls = CallTable("q-")
    call = asked.is_asked(1)
    other.is_asked(2)
    assert other.says(type="tool_result", id=call, output="stolen") == (AnswerReceived(call),)
    assert len(asked.protocol.calls) == 1


def test_tools_are_offered_and_bad_entries_only_counted(device: Device) -> None:
    (event,) = device.says(type="register_tools", tools=[tool_entry("a"), {"name": "b"}, None])
    assert isinstance(event, ToolsOffered)
    assert ([tool.name for tool in event.tools], event.count, event.replace) == (["a"], 3, False)


@pytest.mark.parametrize("frame", [{}, {"tools": "none"}, {"tools": []}, {"tools": None}])
def test_a_registration_without_a_list_offers_nothing(device: Device, frame: dict[str, Any]) -> None:
    assert device.says(type="register_tools", **frame) == (ToolsOffered((), False, 0),)


def test_tools_beyond_the_limit_are_not_read_and_the_device_is_told() -> None:
    device = Device(limits(tools_per_device=2))
    offered, misread = device.says(type="register_tools", tools=[tool_entry(name) for name in "abc"])
    assert isinstance(offered, ToolsOffered)
    assert isinstance(misread, Misread)
    assert [tool.name for tool in offered.tools] == ["a", "b"]
    assert (misread.code, "limits.tools_per_device" in misread.message) == ("TOO_MANY_TOOLS", True)


def test_the_whole_list_is_replaced_only_when_both_sides_can(device: Device) -> None:
    def replaces() -> bool:
        (event,) = device.says(type="register_tools", tools=[], replace=True)
        assert isinstance(event, ToolsOffered)
        return event.replace

    device.connects()
    assert not replaces()
    device.connects("cetp.unregister")
    assert replaces()


def test_tools_are_withdrawn_only_when_both_sides_can(device: Device) -> None:
    assert code_of(device.says(type="unregister_tools", names=["a"])) == "UNKNOWN_MESSAGE_TYPE"
    device.connects("cetp.unregister")
    assert device.says(type="unregister_tools", names=["a", 7, "b"]) == (ToolsWithdrawn(("a", "b")),)


@pytest.mark.parametrize("frame", [{}, {"names": "a"}, {"names": None}])
def test_a_withdrawal_without_a_list_names_the_field(device: Device, frame: dict[str, Any]) -> None:
    device.connects("cetp.unregister")
    (event,) = device.says(type="unregister_tools", **frame)
    assert isinstance(event, Misread)
    assert (event.code, '"names"' in event.message) == ("INVALID_FIELD", True)


def test_connect_is_answered_with_what_both_sides_have(device: Device) -> None:
    (event,) = device.connects("cetp.cancel", "tools", "cetp.teleport", device_id="phone-1", device_name="pixel")
    assert event == Connected("phone-1", "pixel", frozenset({Capability.CANCEL}))


def test_a_plain_client_is_granted_nothing(device: Device) -> None:
    assert device.says(type="connect", v=2, session_id="other", device_name="pixel", capabilities=["tools"]) == (
        Connected("", "pixel", frozenset()),
    )


def test_connect_may_come_at_any_time_and_the_latest_counts(device: Device) -> None:
    device.says(type="register_tools", tools=[tool_entry("a")])
    device.connects("cetp.cancel", device_id="phone-1", device_name="pixel")
    assert device.connects("cetp.shared", device_name="tablet") == (
        Connected("phone-1", "tablet", frozenset({Capability.SHARED})),
    )


@pytest.mark.parametrize("device_id", ["a b", "x" * 129, "ü", "../x", "a\n"])
def test_a_device_id_that_cannot_be_used_is_left_out_with_a_reason(device: Device, device_id: str) -> None:
    connected, misread = device.connects(device_id=device_id)
    assert connected == Connected("", "", frozenset())
    assert isinstance(misread, Misread)
    assert (misread.code, '"device_id"' in misread.message) == ("INVALID_FIELD", True)


def test_a_device_id_cannot_change_on_an_open_socket(device: Device) -> None:
    device.connects(device_id="phone-1")
    connected, misread = device.connects(device_id="phone-2")
    assert connected == Connected("phone-1", "", frozenset())
    assert isinstance(misread, Misread)


def test_a_device_name_is_made_fit_to_be_shown(device: Device) -> None:
    device.connects(device_name="  my\x1b[31m\n\u202e  phone " + "x" * 500)
    assert device.protocol.device_name.startswith("my [31m phone xxx")
    assert len(device.protocol.device_name) == 64


def test_a_message_is_passed_on_with_its_marks(device: Device) -> None:
    assert device.says(type="message", content=" hi ", debug=True) == (UserMessage(" hi ", debug=True),)
    assert device.says(type="message", content="hi", attachments=[{"type": "image", "id": "1"}]) == (
        UserMessage("hi", attachments=True),
    )
    assert device.says(type="message", content="hi", files=[], attachments=None) == (UserMessage("hi"),)


@pytest.mark.parametrize("frame", [{}, {"content": ""}, {"content": 7}, {"content": " \n"}, {"content": None}])
def test_a_message_without_text_is_empty_content(device: Device, frame: dict[str, Any]) -> None:
    assert code_of(device.says(type="message", **frame)) == "EMPTY_CONTENT"


def test_a_message_over_the_limit_names_it() -> None:
    device = Device(limits(message_chars=5))
    assert device.says(type="message", content="12345") == (UserMessage("12345"),)
    (event,) = device.says(type="message", content="123456")
    assert isinstance(event, Misread)
    assert (event.code, "limits.message_chars" in event.message) == ("MESSAGE_TOO_LONG", True)


def test_the_plain_frames_have_their_events(device: Device) -> None:
    assert device.says(type="abort") == (Abort(),)
    assert device.says(type="regenerate") == (Regenerate(),)
    assert device.says(type="regenerate", debug=True) == (Regenerate(debug=True),)
    assert device.says(type="get_registered_tools") == (ListAsked(),)


@pytest.mark.parametrize(("text", "code"), [("{oops", "INVALID_JSON"), ('{"type":"dance"}', "UNKNOWN_MESSAGE_TYPE")])
def test_what_is_no_frame_is_misread(device: Device, text: str, code: str) -> None:
    assert code_of(device.says_text(text)) == code


@given(st.text())
def test_no_text_breaks_the_protocol(text: str) -> None:
    Device().says_text(text)


class CallsAreAnsweredOnce(RuleBasedStateMachine):
    """Whatever a device answers, in whatever order and number: a call ends at most once, by its own answer."""

    def __init__(self) -> None:
        super().__init__()
        self.device = Device()
        self.asked: list[str] = []
        self.answers: dict[int, int] = {}
        self.withdrawn: set[int] = set()

    @rule()
    def ask(self) -> None:
        self.asked.append(self.device.is_asked(len(self.asked)))

    @rule(number=st.integers(0, 8), good=st.booleans())
    def answer(self, number: int, good: bool) -> None:
        call_id = self.asked[number] if number < len(self.asked) else f"made-up-{number}"
        kind = "tool_result" if good else "tool_error"
        received, *rest = self.device.says(type=kind, id=call_id, output="x", error="y")
        assert received == AnswerReceived(call_id)
        for event in rest:
            assert isinstance(event, CallAnswered)
            assert event.token == number
            self.answers[number] = self.answers.get(number, 0) + 1

    @rule(number=st.integers(0, 8))
    def withdraw(self, number: int) -> None:
        if number < len(self.asked) and self.device.protocol.calls.take(self.asked[number]) is not None:
            self.withdrawn.add(number)

    @rule(text=st.text())
    def babble(self, text: str) -> None:
        self.device.says_text(text)

    @invariant()
    def at_most_one_answer_each(self) -> None:
        assert all(count == 1 for count in self.answers.values())
        assert not self.withdrawn & self.answers.keys()
        assert len(self.device.protocol.calls) == len(self.asked) - len(self.answers) - len(self.withdrawn)


TestCallsAreAnsweredOnce = CallsAreAnsweredOnce.TestCase


def test_the_table_gives_calls_back_when_they_are_due() -> None:
    table: CallTable[str] = CallTable("p-")
    early, late = table.open("early", 1.0), table.open("late", 2.0)
    assert early != late
    assert table.earliest() == 1.0
    assert table.due(0.5) == []
    assert table.due(1.0) == [(early, "early")]
    assert (table.earliest(), table.take(early), len(table)) == (2.0, None, 1)
    assert table.clear() == ["late"]
    assert (table.earliest(), len(table)) == (None, 0)
