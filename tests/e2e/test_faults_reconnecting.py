"""Phones whose network vanishes, comes back late or flaps: one connection counts, and it is the newest."""

import asyncio
from pathlib import Path

import httpx
import pytest

from cetp_gateway.phone import PhoneLimits, Registered, VirtualPhone
from support.phones import NOTES, SOON, Ear, shipped
from support.proxy import Proxy
from support.raw_phones import raw_phone
from support.whole import open_settings, rest, until, whole

QUICK_PINGS = {"ping_interval_s": 0.5, "ping_timeout_s": 1.0}


async def tools(http: httpx.AsyncClient) -> list[str]:
    return sorted(row["name"] for row in (await http.get("/api/tools")).json()["tools"])


async def test_what_an_old_connection_still_says_when_its_network_returns_changes_nothing(tmp_path: Path) -> None:
    async with (
        whole(tmp_path) as running,
        rest(running) as http,
        Proxy(running.port) as path,
        raw_phone(path.port, "x") as old,
        raw_phone(running.port, "spare", device_id="phone-2") as other,
    ):
        path.hold()
        async with raw_phone(running.port, "x", "y") as new:
            await old.say(type="register_tools", replace=True, tools=[])
            path.release()
            assert (await old.closing())[0] == 4409
            assert await tools(http) == ["spare", "x", "y"]

            call = asyncio.create_task(http.post("/api/tools/x/call", json={}))
            await new.answer(await new.called(), "from the new one")
            assert (await call).json()["output"] == "from the new one"
        assert await other.offer("spare")


@pytest.mark.parametrize("ending", ["cut", "held"])
async def test_an_old_connection_that_ends_between_the_new_ones_greeting_and_its_tools_takes_nothing_along(
    tmp_path: Path, ending: str
) -> None:
    async with (
        whole(tmp_path) as running,
        rest(running) as http,
        Proxy(running.port) as path,
        raw_phone(path.port, "x"),
    ):
        path.hold()
        async with raw_phone(running.port) as new:
            if ending == "cut":
                path.cut()
            await new.offer("x", "y")
            assert await tools(http) == ["x", "y"]
            devices = (await http.get("/api/health")).json()["devices"]
            assert [device["device_id"] for device in devices] == ["phone-1"]


async def test_after_a_silent_loss_both_sides_notice_and_the_phone_comes_back_once(tmp_path: Path) -> None:
    ear = Ear()
    limits = PhoneLimits(ping_s=1.0, close_s=0.3)
    async with (
        whole(tmp_path, settings=open_settings(server=QUICK_PINGS)) as running,
        rest(running) as http,
        Proxy(running.port) as path,
        VirtualPhone(
            f"http://127.0.0.1:{path.port}", packs=[shipped(NOTES)], listener=ear, limits=limits, policy=SOON
        ) as phone,
    ):
        await phone.until_registered()
        path.hold()
        answer = await http.post("/api/tools/notes__list_notebooks/call", json={})
        assert (answer.status_code, answer.json()["outcome"]) == (503, "device_gone")
        assert await tools(http) == []

        path.cut()
        path.release()
        await ear.hear(Registered, 2)
        answer = await http.post("/api/tools/notes__list_notebooks/call", json={})
        assert answer.json()["outcome"] == "answered"
        assert len(ear.all(Registered)) == 2


async def test_a_network_that_flaps_ends_with_one_socket_and_one_registration(tmp_path: Path) -> None:
    async with (
        whole(tmp_path) as running,
        rest(running) as http,
        Proxy(running.port) as path,
        VirtualPhone(f"http://127.0.0.1:{path.port}", packs=[shipped(NOTES)], policy=SOON) as phone,
    ):
        for times in range(1, 11):
            await path.met(times)
            path.cut()
        await phone.until_registered()
        answer = await http.post("/api/tools/notes__list_notebooks/call", json={})
        assert answer.json()["outcome"] == "answered"
        assert len(running.runtime.devices.rows()) == 1
        assert len(await tools(http)) == 3


async def test_a_phone_survives_a_gateway_that_restarts_on_the_same_port(tmp_path: Path) -> None:
    ear = Ear()
    async with whole(tmp_path) as first:
        port = first.port
        phone = VirtualPhone(first.url, packs=[shipped(NOTES)], listener=ear, policy=SOON)
        running_phone = asyncio.create_task(phone.run())
        await phone.until_registered()
    async with whole(tmp_path, settings=open_settings(server={"port": port})) as second, rest(second) as http:
        await ear.hear(Registered, 2)
        answer = await http.post("/api/tools/notes__list_notebooks/call", json={})
        assert answer.json()["outcome"] == "answered"
        phone.stop()
        await running_phone


async def test_everybody_who_wants_to_know_is_told_once_when_a_list_grows(tmp_path: Path) -> None:
    async with (
        whole(tmp_path) as running,
        raw_phone(running.port, "a", "b") as phone,
        raw_phone(running.port, device_id="console", capabilities=["cetp.notices"]) as console,
    ):
        await phone.offer("a", "b")
        grown = await phone.offer("a", "b", "c")
        notices = await until(console.socket, "tools_changed")
        assert [notice["revision"] for notice in notices] == [grown["revision"]]
        shrunk = await phone.offer("a")
        assert [notice["revision"] for notice in await until(console.socket, "tools_changed")] == [shrunk["revision"]]
