"""What a model is told of the person's devices: which are there, since when others are away, and what they offer."""

from datetime import datetime
from pathlib import Path
from typing import Any

from cetp_gateway.api import Tool, ToolUse
from cetp_gateway.assemble.known_devices import DevicesAtHand
from cetp_gateway.builtin.devices import DevicesList, DeviceState
from cetp_gateway.testing import ScriptedStep
from support.entered import Entered, entered
from support.tool_calls import refusal, told
from support.whole import rest, whole
from support.wire_client import wire


def tools(gateway: Entered) -> tuple[Tool, Tool]:
    runtime = gateway.runtime
    known = DevicesAtHand(runtime.paired, runtime.devices, runtime.registry)
    return DevicesList(known), DeviceState(known)


NOTES = {"name": "notes__search", "description": "Finds notes.", "parameters": {"type": "object"}}


def from_app(name: str, package: str) -> dict[str, Any]:
    return {**NOTES, "name": name, "provider": {"package": package}}


async def test_a_connected_device_shows_its_tools_by_app_and_one_that_left_since_when(tmp_path: Path) -> None:
    async with entered(tmp_path) as gateway:
        lists, state = tools(gateway)
        [away] = (await told(lists))["devices"]
        assert (away["name"], away["connected"], away["tools"]) == ("test phone", False, 0)
        assert away["away_since"] == "never seen"
        async with wire(gateway.running, token=gateway.token) as phone:
            await phone.introduce()
            await phone.register(
                from_app("notes__search", "com.example.notes"),
                from_app("mail__find", "com.example.mail"),
                {"name": "x"},
            )
            [here] = (await told(lists))["devices"]
            details = await told(state, device=" TEST Phone ")
        assert (here["connected"], here["tools"]) == (True, 2)
        assert "away_since" not in here
        assert details["apps"] == {"com.example.mail": 1, "com.example.notes": 1}
        assert details["open_calls"] == 0
        gateway.runtime.paired.touch(here["id"])
        await gateway.runtime.devices.close_all()
        [away] = (await told(lists))["devices"]
    assert away["connected"] is False
    assert datetime.fromisoformat(away["away_since"]).tzinfo is not None


async def test_an_unknown_device_is_refused_with_the_nearest_names_and_two_of_a_name_with_their_ids(
    tmp_path: Path,
) -> None:
    async with entered(tmp_path) as gateway:
        _, state = tools(gateway)
        assert "test phone" in (await refusal(state, device="test fone")).hint
        await gateway.runtime.paired.pair("test phone")
        ids = [device.id for device in gateway.runtime.paired.list()]
        hint = (await refusal(state, device="test phone")).hint
        assert all(device_id in hint for device_id in ids)
        assert (await told(state, device=ids[1]))["id"] == ids[1]


async def test_without_pairing_a_device_is_one_by_its_own_word(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, wire(running) as phone, wire(running) as chat, rest(running):
        await phone.introduce(device_id="pixel-1", device_name="pixel")
        await phone.register(NOTES)
        runtime = running.runtime
        known = DevicesAtHand(runtime.paired, runtime.devices, runtime.registry)
        [row] = (await told(DevicesList(known)))["devices"]
        assert chat.session_id != phone.session_id
    assert (row["id"], row["name"], row["tools"]) == ("pixel-1", "pixel", 1)


async def test_a_model_asks_about_a_device_over_a_socket(tmp_path: Path) -> None:
    steps = [
        ScriptedStep(calls=(ToolUse("c1", "device_state", {"device": "test phone"}),)),
        ScriptedStep(text="It is."),
    ]
    async with (
        entered(tmp_path, model=steps, builtin={"enabled": ["device*"]}) as gateway,
        wire(gateway.running, token=gateway.token) as phone,
    ):
        await phone.introduce()
        await phone.register(NOTES)
        frames = await phone.ask("is my phone there?")
    [result] = [frame for frame in frames if frame["type"] == "tool_result"]
    assert '"connected":true,"tools":1' in result["output"]
