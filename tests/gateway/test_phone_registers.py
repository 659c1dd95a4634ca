"""The virtual phone introduces itself and registers its tools, over a real socket against the scripted gateway."""

import asyncio
from typing import Any

import pytest

from cetp_gateway.phone import Connected, Pack, PhoneLimits, Registered, VirtualPhone, shipped_packs
from cetp_gateway.phone.frames import CAPABILITIES
from cetp_gateway.testing.fake_gateway import FakeGateway
from support.phones import ENERGY, HASTY, NOTES, Ear, pack, shipped, tool


def phone_at(gateway: FakeGateway, *packs: Pack, **more: Any) -> VirtualPhone:
    return VirtualPhone(gateway.url, gateway.token, packs, limits=more.pop("limits", HASTY), **more)


@pytest.mark.requirement("cetp.1.bridged", "cetp.2.1.roles")
async def test_it_connects_with_its_id_its_name_and_what_it_can_do() -> None:
    async with (
        FakeGateway(token="secret") as gateway,
        phone_at(gateway, device_id="kitchen-1", device_name="Kitchen", session_id="home") as phone,
    ):
        await phone.until_connected()
        device = await gateway.device()

        assert device.token == "secret"
        assert device.path == "/ws/chat?session_id=home"
        assert device.frames[0] == {
            "type": "connect",
            "v": 1,
            "device_id": "kitchen-1",
            "device_name": "Kitchen",
            "capabilities": list(CAPABILITIES),
        }
    assert gateway.problems == []


@pytest.mark.requirement("cetp.1.register-tools", "cetp.3.1.register", "cetp.3.1.list", "cetp.3.1.prefix")
async def test_it_registers_all_tools_of_all_apps_in_one_frame_under_prefixed_names() -> None:
    async with FakeGateway() as gateway, phone_at(gateway, *shipped_packs()) as phone:
        await phone.until_registered()
        device = await gateway.device()

        registrations = [frame for frame in device.frames if frame["type"] == "register_tools"]
        assert len(registrations) == 1
        assert registrations[0]["replace"] is True
        assert {name.split("__")[0] for name in device.tools} == {"energy", "notes"}
        assert len(device.tools) == 6
    assert gateway.problems == []


async def test_an_entry_says_which_app_it_comes_from_and_that_it_only_reads() -> None:
    async with FakeGateway() as gateway, phone_at(gateway, shipped(NOTES)) as phone:
        await phone.until_registered()
        entry = (await gateway.device()).tools["notes__read_note"]

    assert entry["provider"] == {"package": NOTES, "label": "Notes", "version": "3.2.1"}
    assert entry["effect"] == "reads"
    assert entry["parameters"]["required"] == ["id"]


@pytest.mark.requirement("cetp.3.1.refresh")
async def test_installing_updating_and_removing_an_app_changes_what_is_registered() -> None:
    async with FakeGateway() as gateway, phone_at(gateway, shipped(NOTES)) as phone:
        await phone.until_registered()
        device = await gateway.device()

        phone.install(pack(tool("state")))
        await phone.until_registered()
        installed = set(device.tools)
        phone.update(pack(tool("colour"), version="2"))
        await phone.until_registered()
        updated = device.tools["lamp__colour"]["provider"]["version"], set(device.tools)
        phone.uninstall("com.example.lamp")
        await phone.until_registered()

        assert "lamp__state" in installed
        assert updated[0] == "2"
        assert "lamp__state" not in updated[1]
        assert {name.split("__")[0] for name in device.tools} == {"notes"}


async def test_changes_at_one_moment_make_one_registration() -> None:
    ear = Ear()
    async with FakeGateway() as gateway, phone_at(gateway, listener=ear) as phone:
        await phone.until_registered()
        for each in shipped_packs():
            phone.install(each)
        phone.uninstall(ENERGY)
        await phone.until_registered()

        device = await gateway.device()
        assert [len(frame["tools"]) for frame in device.frames if frame["type"] == "register_tools"] == [0, 3]
        assert [event.offered for event in ear.all(Registered)] == [0, 3]


async def test_a_change_while_the_gateway_thinks_is_registered_next() -> None:
    async with FakeGateway(accepts=False) as gateway, phone_at(gateway, shipped(NOTES)) as phone:
        device = await gateway.device()
        await device.take("register_tools")
        phone.install(pack(tool()))
        gateway.accepts = True
        await device.send("tools_registered", count=3, registered=3)

        assert len((await device.take("register_tools"))["tools"]) == 4
        await phone.until_registered()


async def test_authorising_an_app_registers_nothing() -> None:
    async with FakeGateway() as gateway, phone_at(gateway, *shipped_packs()) as phone:
        await phone.until_registered()
        device = await gateway.device()
        phone.authorise(ENERGY)
        phone.revoke(ENERGY)
        await device.call("notes__list_notebooks", {})

        assert sum(frame["type"] == "register_tools" for frame in device.frames) == 1


async def test_a_gateway_without_extensions_gets_the_plain_full_list() -> None:
    ear = Ear()
    async with FakeGateway(capabilities=()) as gateway, phone_at(gateway, shipped(NOTES), listener=ear) as phone:
        await phone.until_registered()
        device = await gateway.device()
        registration = await device.take("register_tools")

        assert "replace" not in registration
        assert all(set(entry) == {"name", "description", "parameters"} for entry in registration["tools"])
        assert ear.all(Connected)[0].capabilities == []
    assert gateway.problems == []


async def test_what_the_gateway_grants_but_the_phone_never_offered_is_not_used() -> None:
    ear = Ear()
    async with FakeGateway(greets=False) as gateway, phone_at(gateway, listener=ear) as phone:
        device = await gateway.device()
        await device.send("connected", v=1, message="ok", capabilities=["cetp.teleport", "cetp.cancel"])
        await phone.until_connected()

    assert ear.all(Connected)[0].capabilities == ["cetp.cancel"]


async def test_a_plain_phone_sends_one_growing_frame_per_tool_without_waiting_for_the_greeting() -> None:
    async with FakeGateway(greets=False) as gateway, phone_at(gateway, shipped(NOTES), plain=True) as phone:
        await phone.until_registered()
        device = await gateway.device()

        assert device.frames[0] == {
            "type": "connect",
            "v": 1,
            "device_name": "Virtual phone",
            "capabilities": ["tools"],
        }
        assert [len(frame["tools"]) for frame in device.frames[1:]] == [1, 2, 3]
        assert all(set(entry) == {"name", "description", "parameters"} for entry in device.tools.values())
    assert gateway.problems == []


async def test_a_list_that_is_larger_than_the_gateways_frames_is_sent_in_parts() -> None:
    big = pack(*(tool(f"tool_{number}", description="x" * 1000) for number in range(20)))
    async with FakeGateway(message_bytes=8192) as gateway, phone_at(gateway, big) as phone:
        await phone.until_registered()
        device = await gateway.device()
        registrations = [frame for frame in device.frames if frame["type"] == "register_tools"]

        assert len(registrations) > 1
        assert [frame.get("replace", False) for frame in registrations] == [True] + [False] * (len(registrations) - 1)
        assert len(device.tools) == 20


async def test_a_tool_that_cannot_be_sent_or_named_costs_only_itself() -> None:
    ear = Ear()
    bad = pack(tool("huge", description="x" * 10_000), tool(""), tool("good"))
    async with FakeGateway(message_bytes=8192) as gateway, phone_at(gateway, bad, listener=ear) as phone:
        await phone.until_registered()

        assert list((await gateway.device()).tools) == ["lamp__good"]
    assert ear.all(Registered)[0].left_out == ["lamp__huge", "com.example.lamp: ''"]


@pytest.mark.requirement("cetp.2.5.unknown-fields")
@pytest.mark.parametrize("parameters", [None, {}])
async def test_a_tool_without_a_schema_is_registered_with_one_that_takes_nothing(parameters: Any) -> None:
    bare = tool("bare", parameters=parameters)
    async with FakeGateway() as gateway, phone_at(gateway, pack(bare)) as phone:
        await phone.until_registered()

        entry = (await gateway.device()).tools["lamp__bare"]
        assert entry["parameters"] == {"type": "object", "properties": {}}


async def test_what_the_gateway_decided_about_each_tool_is_told() -> None:
    ear = Ear()
    async with FakeGateway(accepts=False) as gateway, phone_at(gateway, pack(tool()), listener=ear) as phone:
        device = await gateway.device()
        await device.take("register_tools")
        verdict = {"name": "lamp__state", "state": "quarantined", "reason": "its name says that it writes"}
        await device.send("tools_registered", count=1, registered=0, revision=3, tools=[verdict])
        await phone.until_registered()

    told = ear.all(Registered)[0].verdicts[0]
    assert (told.name, told.state, told.reason) == ("lamp__state", "quarantined", "its name says that it writes")


async def test_a_gateway_that_does_not_answer_a_registration_is_left_and_tried_again() -> None:
    limits = PhoneLimits(registration_s=0.05, close_s=0.3)
    async with FakeGateway(accepts=False) as gateway, phone_at(gateway, pack(tool()), limits=limits) as phone:
        first = await gateway.device()
        assert await first.ended() == 1002

        gateway.accepts = True
        await phone.until_registered()
        assert gateway.most_open == 1


async def test_waiting_for_a_registration_that_does_not_come_ends_at_its_bound() -> None:
    async with FakeGateway(greets=False) as gateway, phone_at(gateway) as phone:
        with pytest.raises(TimeoutError, match=r"not registered after 0\.05 s"):
            await phone.until_registered(0.05)


async def test_an_app_can_be_installed_once_and_only_an_installed_one_can_be_changed() -> None:
    async with FakeGateway() as gateway, phone_at(gateway, shipped(NOTES)) as phone:
        with pytest.raises(ValueError, match="installed already"):
            phone.install(shipped(NOTES))
        for change in (phone.uninstall, phone.authorise, phone.revoke):
            with pytest.raises(ValueError, match=rf"gone\.app is not installed; there are: {NOTES}"):
                change("gone.app")


async def test_an_unasked_for_confirmation_confirms_nothing() -> None:
    async with FakeGateway(greets=False) as gateway, phone_at(gateway, pack(tool())) as phone:
        device = await gateway.device()
        await device.send("tools_registered", count=1, registered=1)
        gateway.accepts = False
        await device.send("connected", v=1, message="ok")
        await device.take("register_tools")

        with pytest.raises(TimeoutError):
            await phone.until_registered(0.05)
        await device.send("tools_registered", count=1, registered=1)
        await asyncio.wait_for(phone.until_registered(), 5)
