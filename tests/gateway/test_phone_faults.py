"""Misbehaviour on demand: each fault does what its sentence says, on a real socket."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cetp_gateway.errors import CetpError
from cetp_gateway.phone import (
    FAULTS,
    CallAnswered,
    CallDropped,
    CallReceived,
    Disconnected,
    Fault,
    Misbehaved,
    Pack,
    UnknownFault,
    VirtualPhone,
    read_fault,
)
from cetp_gateway.phone.faults import FaultPlan
from cetp_gateway.testing.device_socket import DeviceSocket
from cetp_gateway.testing.fake_gateway import FakeGateway
from support.phones import HASTY, SOON, Ear, pack, tool

LAMP = pack(tool(), tool("colour"))


def faulty(gateway: FakeGateway, *faults: str, packs: tuple[Pack, ...] = (LAMP,), **more: Any) -> VirtualPhone:
    read = [read_fault(text) for text in faults]
    return VirtualPhone(gateway.url, "", packs, faults=read, limits=HASTY, policy=SOON, **more)


async def device_of(gateway: FakeGateway, phone: VirtualPhone) -> DeviceSocket:
    await phone.until_registered()
    return await gateway.device()


def answers(device: DeviceSocket, call_id: str) -> list[dict[str, Any]]:
    return [frame for frame in device.frames if frame.get("id") == call_id]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("never", Fault("never")),
        ("late=3000", Fault("late", 3000)),
        ("drop#3", Fault("drop", nth=3)),
        ("huge=5@notes__*#2", Fault("huge", 5, "notes__*", 2)),
        (" twice@lamp__state ", Fault("twice", tool="lamp__state")),
    ],
)
def test_a_fault_is_read_as_it_is_written(text: str, fault: Fault) -> None:
    assert read_fault(text) == fault


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nevr", "there are never, twice"),
        ("late=soon", "write NAME"),
        ("never=3", "takes no amount"),
        ("drop#0", "write NAME"),
        ("", "write NAME"),
    ],
)
def test_a_fault_that_does_not_exist_is_refused_with_what_does(text: str, words: str) -> None:
    with pytest.raises(UnknownFault, match=words):
        read_fault(text)


@given(st.text(max_size=30))
def test_any_text_is_a_fault_or_refused(text: str) -> None:
    try:
        assert read_fault(text).kind in FAULTS
    except CetpError as refused:
        assert isinstance(refused, UnknownFault)  # noqa: PT017 - either way is right


def test_the_n_th_call_is_counted_among_those_that_fit() -> None:
    plan = FaultPlan([Fault("never", tool="a*", nth=2), Fault("drop")])

    struck = [[fault.kind for fault in plan.for_call(name)] for name in ("a1", "b1", "a2", "a3")]

    assert struck == [["drop"], ["drop"], ["never", "drop"], ["drop"]]


async def test_never_leaves_the_call_open_and_others_unharmed() -> None:
    ear = Ear()
    async with FakeGateway() as gateway, faulty(gateway, "never@lamp__state", listener=ear) as phone:
        device = await device_of(gateway, phone)
        lost = await device.request("lamp__state", {})
        await ear.hear(Misbehaved)
        await device.call("lamp__colour", {})

        assert answers(device, lost) == []


async def test_twice_sends_the_same_answer_two_times() -> None:
    async with FakeGateway() as gateway, faulty(gateway, "twice#1") as phone:
        device = await device_of(gateway, phone)
        doubled = await device.request("lamp__state", {})
        once = (await device.call("lamp__state", {}))["id"]

        assert len(answers(device, doubled)) == 2
        assert answers(device, doubled)[0] == answers(device, doubled)[1]
        assert len(answers(device, once)) == 1


async def test_late_answers_after_its_deadline_and_after_a_cancellation() -> None:
    ear = Ear()
    async with FakeGateway() as gateway, faulty(gateway, "late=40", listener=ear) as phone:
        device = await device_of(gateway, phone)
        late = await device.request("lamp__state", {}, deadline_ms=20)
        await ear.hear(CallReceived)
        await device.send("tool_call_cancel", id=late)

        assert (await device.answer(late))["success"] is True
        assert ear.all(CallDropped) == []


async def test_huge_goes_beyond_the_gateways_limit() -> None:
    async with FakeGateway(message_bytes=10_000) as gateway, faulty(gateway, "huge=50000") as phone:
        device = await device_of(gateway, phone)

        assert len((await device.call("lamp__state", {}))["output"]) == 50_000


async def test_invalid_utf8_makes_a_strict_gateway_close_and_the_phone_comes_back() -> None:
    ear = Ear()
    async with FakeGateway() as gateway, faulty(gateway, "invalid-utf8#1", listener=ear) as phone:
        device = await device_of(gateway, phone)
        await device.request("lamp__state", {})

        assert "1007" in (await ear.hear(Disconnected)).reason
        again = await gateway.device()
        await phone.until_registered()
        assert (await again.call("lamp__state", {}))["success"] is True


async def test_bad_json_is_half_of_an_answer() -> None:
    ear = Ear()
    async with FakeGateway() as gateway, faulty(gateway, "bad-json#1", listener=ear) as phone:
        device = await device_of(gateway, phone)
        await device.request("lamp__state", {})
        await device.call("lamp__state", {})

        assert str(device.unreadable[0]).startswith('{"type":"tool_result"')
        assert len(gateway.problems) == 1


async def test_an_unknown_id_is_not_the_one_that_was_asked() -> None:
    async with FakeGateway() as gateway, faulty(gateway, "unknown-id#1") as phone:
        device = await device_of(gateway, phone)
        asked = await device.request("lamp__state", {})
        await device.call("lamp__state", {})

        assert answers(device, asked) == []
        assert len(answers(device, f"not-{asked}")) == 1


async def test_drop_cuts_the_connection_without_a_close_frame() -> None:
    async with FakeGateway() as gateway, faulty(gateway, "drop#2") as phone:
        device = await device_of(gateway, phone)
        await device.call("lamp__state", {})
        lost = await device.request("lamp__state", {})

        assert await device.ended() == 1006
        assert answers(device, lost) == []
        again = await gateway.device()
        await phone.until_registered()
        assert (await again.call("lamp__state", {}))["success"] is True


async def test_many_tools_are_registered_one_by_one_in_growing_frames() -> None:
    async with FakeGateway(checks=False) as gateway, faulty(gateway, "many-tools=60", packs=()) as phone:
        device = await device_of(gateway, phone)
        registrations = [frame for frame in device.frames if frame["type"] == "register_tools"]

        assert [len(frame["tools"]) for frame in registrations] == list(range(1, 61))
        assert len(device.tools) == 60
        assert (await device.call("factory__read_counter_0007", {"id": 1}))["output"] == '{"counter":7,"value":119}'


async def test_flood_sends_answers_that_nobody_asked_for() -> None:
    async with FakeGateway() as gateway, faulty(gateway, "flood=50") as phone:
        device = await device_of(gateway, phone)
        for number in range(50):
            await device.answer(f"nobody-asked-{number}")

        assert (await device.call("lamp__state", {}))["success"] is True


@pytest.mark.parametrize("fault", ["stop-reading", "half-open"])
async def test_a_silent_phone_keeps_its_socket_but_takes_nothing_more_from_it(fault: str) -> None:
    ear = Ear()
    async with FakeGateway() as gateway, faulty(gateway, fault, listener=ear) as phone:
        device = await device_of(gateway, phone)
        await ear.hear(Misbehaved)
        await device.request("lamp__state", {})

        assert not await device.ping(0.2)
        assert ear.all(CallReceived) == []
        assert gateway.open == 1


async def test_a_phone_that_stops_reading_lets_the_gateways_buffer_fill() -> None:
    ear = Ear()
    async with FakeGateway() as gateway, faulty(gateway, "stop-reading", listener=ear) as phone:
        device = await device_of(gateway, phone)
        await ear.hear(Misbehaved)
        writing = asyncio.create_task(_write(device, megabytes=64))

        assert not await device.ping(0.2)
        assert not writing.done()
        writing.cancel()
        await asyncio.wait([writing])


async def _write(device: DeviceSocket, megabytes: int) -> None:
    for _ in range(megabytes):
        await device.send("chunk", content="x" * 1_000_000)


async def test_a_phone_can_fall_silent_in_the_middle_of_a_call() -> None:
    ear = Ear()
    async with FakeGateway() as gateway, faulty(gateway, "half-open#2", listener=ear) as phone:
        device = await device_of(gateway, phone)
        await device.call("lamp__state", {})
        lost = await device.request("lamp__state", {})
        await ear.hear(Misbehaved)

        assert not await device.ping(0.2)
        assert answers(device, lost) == []


@pytest.mark.parametrize("fault", ["stop-reading", "half-open", "late=600000", "never"])
async def test_a_misbehaving_phone_can_still_be_stopped(fault: str) -> None:
    ear = Ear()
    async with FakeGateway() as gateway:
        async with faulty(gateway, fault, listener=ear) as phone:
            device = await device_of(gateway, phone)
            await device.request("lamp__state", {})
            await ear.hear(Misbehaved)

        assert await device.ended() in (1000, 1006)
    assert ear.all(Disconnected) == []


async def test_what_was_never_sent_is_not_told_as_answered() -> None:
    ear = Ear()
    async with FakeGateway() as gateway, faulty(gateway, "never", listener=ear) as phone:
        device = await device_of(gateway, phone)
        await device.request("lamp__state", {})
        await ear.hear(Misbehaved)

    assert ear.all(CallAnswered) == []


def test_every_fault_has_one_sentence_and_a_unit_where_it_has_an_amount() -> None:
    for kind in FAULTS.values():
        assert kind.sentence.endswith(".")
        assert kind.sentence.count(".") == 1
        assert bool(kind.unit) == bool(kind.amount)
