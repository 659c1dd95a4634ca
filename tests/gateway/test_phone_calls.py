"""The virtual phone runs the gateway's calls: outcomes, deadlines, cancellation, limits."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cetp_gateway.phone import (
    CallAnswered,
    CallDropped,
    CallReceived,
    CallRefused,
    Noticed,
    Pack,
    PhoneLimits,
    VirtualPhone,
)
from cetp_gateway.phone.pack import PackTool, Reply
from cetp_gateway.phone.query import Query
from cetp_gateway.testing.device_socket import DeviceSocket
from cetp_gateway.testing.fake_gateway import FakeGateway
from support.phones import ENERGY, HASTY, NOTES, Ear, pack, shipped, tool

SLOW = tool("slow", delay_ms=600_000)


def phone_at(gateway: FakeGateway, *packs: Pack, **more: Any) -> VirtualPhone:
    return VirtualPhone(gateway.url, "", packs, limits=more.pop("limits", HASTY), **more)


async def device_of(gateway: FakeGateway, phone: VirtualPhone) -> DeviceSocket:
    await phone.until_registered()
    return await gateway.device()


@pytest.mark.requirement("cetp.3.1.forward")
async def test_a_call_reaches_its_app_and_the_answer_comes_back_as_text() -> None:
    ear = Ear()
    async with FakeGateway() as gateway, phone_at(gateway, shipped(NOTES), listener=ear) as phone:
        device = await device_of(gateway, phone)
        answer = await device.call("notes__read_note", {"id": "n-109"})

        assert answer["type"] == "tool_result"
        assert answer["success"] is True
        assert json.loads(answer["output"])["title"] == "Bread that worked"
        assert ear.all(CallReceived)[0].arguments == {"id": "n-109"}
        assert (await ear.hear(CallAnswered)).output == answer["output"]
    assert gateway.problems == []


@pytest.mark.requirement("cetp.2.3.auth-required", "cetp.3.2.first-call")
async def test_a_refusal_carries_code_hint_and_intent_beside_the_text_that_older_gateways_know() -> None:
    ear = Ear()
    async with FakeGateway() as gateway, phone_at(gateway, shipped(ENERGY), listener=ear) as phone:
        device = await device_of(gateway, phone)
        refused = await device.call("energy__current_power", {})
        phone.authorise(ENERGY)
        answered = await device.call("energy__current_power", {})

        assert refused["type"] == "tool_error"
        assert refused["success"] is False
        assert refused["error_code"] == "AUTH_REQUIRED"
        assert refused["error"] == (
            "[AUTH_REQUIRED] the user has not yet allowed access to the meter readings — "
            "open Home Energy and allow access under Settings, Assistants"
        )
        assert refused["authorize_intent"] == "com.example.energy.ACTION_AUTHORIZE_ASSISTANT"
        assert (await ear.hear(CallRefused)).hint == refused["resolution_hint"]
        assert answered["success"] is True
    assert gateway.problems == []


async def test_a_plain_phone_sends_only_the_text_of_a_refusal() -> None:
    async with FakeGateway() as gateway, phone_at(gateway, shipped(ENERGY), plain=True) as phone:
        refused = await (await device_of(gateway, phone)).call("energy__current_power", {})

    assert set(refused) == {"type", "id", "error", "success"}


@pytest.mark.requirement("cetp.2.4.tool-not-found", "cetp.2.4.invalid-args")
@pytest.mark.parametrize(
    ("name", "args", "code", "words"),
    [
        ("notes__gone", {}, "TOOL_NOT_FOUND", "notes__gone"),
        ("read_note", {"id": "n-101"}, "TOOL_NOT_FOUND", "read_note"),
        ("notes__search_notes", {"limit": 0}, "INVALID_ARGS", "/limit: "),
        ("notes__search_notes", ["rent"], "INVALID_ARGS", "not a JSON object"),
        ("notes__search_notes", "rent", "INVALID_ARGS", "not a JSON object"),
        ("notes__search_notes", None, "INVALID_ARGS", "not a JSON object"),
    ],
)
async def test_a_call_that_cannot_be_run_is_refused_with_the_reason(
    name: str, args: Any, code: str, words: str
) -> None:
    async with FakeGateway() as gateway, phone_at(gateway, shipped(NOTES)) as phone:
        refused = await (await device_of(gateway, phone)).call(name, args)

    assert refused["error_code"] == code
    assert words in refused["error"]


async def test_a_removed_app_is_not_found_even_by_a_gateway_that_still_knows_its_tools() -> None:
    async with FakeGateway(capabilities=()) as gateway, phone_at(gateway, shipped(NOTES)) as phone:
        device = await device_of(gateway, phone)
        phone.uninstall(NOTES)
        await phone.until_registered()

        assert "notes__list_notebooks" in device.tools
        assert (await device.call("notes__list_notebooks", {}))["error_code"] == "TOOL_NOT_FOUND"


async def test_numbers_keep_all_their_digits_in_both_directions() -> None:
    echo = pack(tool("echo", parameters={}, replies=[{"data": {"back": "{n}"}}]))
    numbers = [9007199254740993, 9223372036854775807, 18446744073709551616, -(2**70)]
    async with FakeGateway() as gateway, phone_at(gateway, echo) as phone:
        device = await device_of(gateway, phone)
        for number in numbers:
            answer = await device.call("lamp__echo", {"n": number})
            assert answer.get("output") == f'{{"back":{number}}}'


async def test_calls_run_at_the_same_time_and_a_slow_one_holds_up_no_other() -> None:
    async with FakeGateway() as gateway, phone_at(gateway, pack(SLOW, tool("quick"))) as phone:
        device = await device_of(gateway, phone)
        for _ in range(HASTY.parallel_calls - 1):
            await device.request("lamp__slow", {})

        assert (await device.call("lamp__quick", {}))["success"] is True


async def test_calls_beyond_the_limit_wait_and_those_beyond_the_line_are_refused() -> None:
    limits = PhoneLimits(parallel_calls=1, waiting_calls=1, close_s=0.3)
    async with FakeGateway() as gateway, phone_at(gateway, pack(SLOW, tool("quick")), limits=limits) as phone:
        device = await device_of(gateway, phone)
        running = await device.request("lamp__slow", {})
        waiting = await device.request("lamp__quick", {})
        refused = await device.call("lamp__quick", {})
        await device.send("tool_call_cancel", id=running)

        assert refused["error_code"] == "RATE_LIMITED"
        assert (await device.answer(waiting))["success"] is True


async def test_a_call_past_its_deadline_is_dropped_and_never_answered() -> None:
    ear = Ear()
    async with FakeGateway() as gateway, phone_at(gateway, pack(SLOW, tool("quick")), listener=ear) as phone:
        device = await device_of(gateway, phone)
        late = await device.request("lamp__slow", {}, deadline_ms=20, call_id="c-1")
        dropped = await ear.hear(CallDropped)
        await device.call("lamp__quick", {}, deadline_ms=10_000)

        assert dropped.id == late
        assert "deadline" in dropped.reason
        assert late not in [frame.get("id") for frame in device.frames]


async def test_time_spent_in_line_counts_against_the_deadline() -> None:
    ear = Ear()
    limits = PhoneLimits(parallel_calls=1, close_s=0.3)
    async with FakeGateway() as gateway, phone_at(gateway, pack(SLOW), limits=limits, listener=ear) as phone:
        device = await device_of(gateway, phone)
        await device.request("lamp__slow", {})
        in_line = await device.request("lamp__slow", {}, deadline_ms=20)

        assert (await ear.hear(CallDropped)).id == in_line


@pytest.mark.parametrize("deadline", ["soon", -1, None, True, 1.5])
async def test_a_deadline_that_is_no_number_of_milliseconds_is_passed_over(deadline: Any) -> None:
    async with FakeGateway() as gateway, phone_at(gateway, pack(tool())) as phone:
        device = await device_of(gateway, phone)

        assert (await device.call("lamp__state", {}, deadline_ms=deadline))["success"] is True


async def test_a_cancelled_call_ends_without_an_answer_and_frees_its_place() -> None:
    ear = Ear()
    limits = PhoneLimits(parallel_calls=1, close_s=0.3)
    async with (
        FakeGateway() as gateway,
        phone_at(gateway, pack(SLOW, tool("quick")), limits=limits, listener=ear) as phone,
    ):
        device = await device_of(gateway, phone)
        cancelled = await device.request("lamp__slow", {})
        await ear.hear(CallReceived)
        await device.send("tool_call_cancel", id=cancelled)
        await device.send("tool_call_cancel", id="never-heard-of")
        await device.call("lamp__quick", {})

        assert (await ear.hear(CallDropped)).reason == "cancelled by the gateway"
        assert cancelled not in [frame.get("id") for frame in device.frames]


async def test_a_second_request_under_a_running_id_is_answered_once() -> None:
    async with FakeGateway() as gateway, phone_at(gateway, pack(tool("state", delay_ms=30))) as phone:
        device = await device_of(gateway, phone)
        for _ in range(2):
            await device.send("tool_call_request", id="same", name="lamp__state", args={})
        await device.answer("same")
        await device.call("lamp__state", {})

        assert [frame.get("id") for frame in device.frames].count("same") == 1


@pytest.mark.parametrize("letter", ["a", "é", "漢", '"'])
async def test_a_result_is_measured_in_bytes_of_its_frame_and_replaced_by_an_error_when_too_large(letter: str) -> None:
    limit = 20_000
    fitting, too_large = (
        pack(tool(replies=[{"text": letter * (count // len(json.dumps(letter, ensure_ascii=False).encode()[1:-1]))}]))
        for count in (limit - 200, limit + 200)
    )
    async with FakeGateway(message_bytes=limit) as gateway, phone_at(gateway, fitting) as phone:
        device = await device_of(gateway, phone)
        inside = await device.call("lamp__state", {})
        phone.update(too_large)
        await phone.until_registered()
        outside = await device.call("lamp__state", {})

        assert inside["success"] is True
        assert outside["error_code"] == "INTERNAL_ERROR"
        assert "result too large" in outside["error"]
        assert str(limit) in outside["error"]
        assert await device.ping(5)


async def test_without_a_stated_limit_the_phone_keeps_to_its_own() -> None:
    big = pack(tool(replies=[{"text": "x" * 5000}]))
    limits = PhoneLimits(message_bytes=4096, close_s=0.3)
    async with FakeGateway(capabilities=()) as gateway, phone_at(gateway, big, limits=limits) as phone:
        refused = await (await device_of(gateway, phone)).call("lamp__state", {})

    assert "result too large" in refused["error"]


async def test_calls_of_a_lost_connection_are_given_up() -> None:
    ear = Ear()
    async with FakeGateway() as gateway, phone_at(gateway, pack(SLOW), listener=ear) as phone:
        device = await device_of(gateway, phone)
        lost = await device.request("lamp__slow", {})
        await ear.hear(CallReceived)
        device.drop()

        dropped = await ear.hear(CallDropped)
        assert (dropped.id, dropped.reason) == (lost, "the connection ended")


@pytest.mark.parametrize(
    "message",
    [
        "not JSON",
        "[1]",
        '{"no":"type"}',
        '{"type":7}',
        '{"type":"tool_call_request","name":"lamp__state"}',
        '{"type":"tool_call_request","id":7,"name":"lamp__state"}',
        '{"type":"tool_call_request","id":"","name":"lamp__state"}',
        '{"type":"connected","capabilities":"all","limits":[]}',
        '{"type":"tools_registered","count":-1,"registered":"x","tools":[{}]}',
        '{"type":"tool_call_cancel"}',
        '{"type":"from the future","with":{"much":[1]}}',
        '{"type":"chunk","content":"hello"}',
        '{"type":"x","deep":' + "[" * 3000 + "]" * 3000 + "}",
    ],
)
async def test_a_frame_that_cannot_be_read_ends_nothing(message: str) -> None:
    async with FakeGateway() as gateway, phone_at(gateway, pack(tool())) as phone:
        device = await device_of(gateway, phone)
        await device.send_text(message)

        assert (await device.call("lamp__state", {}))["success"] is True


async def test_what_the_gateway_complains_about_is_told() -> None:
    ear = Ear()
    async with FakeGateway() as gateway, phone_at(gateway, pack(tool()), listener=ear) as phone:
        device = await device_of(gateway, phone)
        await device.send("error", message="no such frame", code="UNKNOWN_MESSAGE_TYPE")

        assert (await ear.hear(Noticed)).message == "UNKNOWN_MESSAGE_TYPE: no such frame"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
keys = st.sampled_from(["id", "name", "args", "deadline_ms", "capabilities", "limits", "tools", "content", "message"])
kinds = st.sampled_from(
    ["connected", "session_start", "tools_registered", "tool_call_request", "tool_call_cancel", "error", "other"]
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sent=st.lists(st.tuples(kinds, st.dictionaries(keys, json_values, max_size=5)), min_size=1, max_size=5))
async def test_no_frames_whatever_they_hold_take_the_phone_away(sent: list[tuple[str, dict[str, Any]]]) -> None:
    async with FakeGateway(checks=False) as gateway, phone_at(gateway, pack(tool())) as phone:
        device = await device_of(gateway, phone)
        for kind, fields in sent:
            await device.send(kind, **fields)

        call = await device.request("lamp__state", {})
        assert (await device.answer(call))["success"] is True


async def test_an_app_that_crashes_costs_only_its_call(caplog: pytest.LogCaptureFixture) -> None:
    rows: list[Any] = ["not a record"]
    reply = Reply(query=Query(table="rows", group="kind"))
    crashing = Pack(
        package="com.example.crash",
        label="Crash",
        data={"rows": rows},
        tools=(PackTool(name="crash", replies=(reply,)),),
    )
    async with FakeGateway() as gateway, phone_at(gateway, crashing, pack(tool())) as phone:
        device = await device_of(gateway, phone)
        answer = await device.call("crash__crash", {})

        assert answer["error_code"] == "INTERNAL_ERROR"
        assert (await device.call("lamp__state", {}))["success"] is True
    assert "com.example.crash failed in crash" in caplog.text


@pytest.mark.parametrize("args", ['{"n":1e999}', "null", '"text"'])
async def test_arguments_that_no_app_can_read_still_get_an_answer(args: str) -> None:
    async with FakeGateway() as gateway, phone_at(gateway, pack(tool("echo", parameters={}))) as phone:
        device = await device_of(gateway, phone)
        await device.send_text(f'{{"type":"tool_call_request","id":"odd","name":"lamp__echo","args":{args}}}')

        assert (await device.answer("odd"))["type"] in ("tool_result", "tool_error")
