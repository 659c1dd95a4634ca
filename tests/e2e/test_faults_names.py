"""Names that apps choose: illegal, long, equal or look-alike ones, on their way from an app to the model and back."""

import asyncio
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cetp_gateway.phone import Pack, VirtualPhone, read_pack
from cetp_gateway.server.serve import Gateway
from cetp_gateway.testing import ScriptedModel, ScriptedStep
from support.fake_vendor import FakeVendor, stream
from support.phones import tool
from support.raw_phones import entry, raw_phone
from support.vendor_models import openai_model
from support.vendor_streams import openai_text
from support.whole import chat, open_settings, rest, send, until, whole

LEGAL = re.compile(r"[A-Za-z0-9_-]{1,64}")


def app(package: str, label: str, *names: str) -> Pack:
    """An app whose tools each say their package and their own name."""
    tools = [tool(name, replies=[{"data": f"{package} {name}"}]) for name in names]
    return read_pack(msgspec.json.encode({"package": package, "label": label, "tools": tools}))


async def names_of(running: Gateway) -> list[str]:
    async with rest(running) as http:
        return [row["name"] for row in (await http.get("/api/tools")).json()["tools"]]


async def who_answers(running: Gateway) -> dict[str, str]:
    """What each public name's app says to a call."""
    async with rest(running) as http:
        answers = {name: await http.post(f"/api/tools/{name}/call", json={}) for name in await names_of(running)}
    return {name: answer.json()["output"].strip('"') for name, answer in answers.items()}


LONG_LABEL = "EnergyMeterHomeAutomationDashboard"
ODD_NAMES = ("read_hourly_consumption_by_appliance", "meter.read/now", "día", "n" * 64, "m" * 65)


@pytest.mark.requirement("cetp.2.3.namespace", "runtime.registries.agree")
async def test_every_name_that_a_model_sees_is_legal_and_every_app_is_called_by_its_own(tmp_path: Path) -> None:
    meter = app("com.example.meter", LONG_LABEL, *ODD_NAMES)
    async with FakeVendor() as vendor:
        vendor.will(stream(*openai_text("Hello.")))
        async with (
            whole(tmp_path, openai_model(vendor)) as running,
            VirtualPhone(running.url, packs=[meter]) as phone,
            chat(running) as socket,
        ):
            await phone.until_registered()
            await send(socket, type="message", content="hello")
            await until(socket, "done")
            answers = await who_answers(running)
    sent = [offered["function"]["name"] for offered in vendor.requests[0].body["tools"]]
    assert all(LEGAL.fullmatch(name) for name in sent)
    assert sorted(sent) == sorted(answers)
    assert sorted(answers.values()) == sorted(f"com.example.meter {name}" for name in ODD_NAMES)


async def test_names_that_a_plain_client_chose_badly_become_legal_and_lead_back_to_it(tmp_path: Path) -> None:
    wire_names = ["home.read/now", "día", "n" * 64, "n" * 65, "n" * 66, ""]
    async with whole(tmp_path) as running, rest(running) as http, raw_phone(running.port) as phone:
        verdicts = (await phone.offer(*(entry(name) for name in wire_names)))["tools"]
        assert [verdict["state"] for verdict in verdicts].count("quarantined") == 1
        names = await names_of(running)
        assert len(set(names)) == 5
        assert all(LEGAL.fullmatch(name) for name in names)
        called = set()
        for name in names:
            call = asyncio.create_task(http.post(f"/api/tools/{name}/call", json={}))
            request = await phone.called()
            called.add(request["name"])
            await phone.answer(request, "x")
            await call
        assert called == set(wire_names) - {""}


FOUR = (
    ("com.cn.weather", "天气"),
    ("com.cn.maps", "地图"),
    ("com.notes.one", "Notes"),
    ("com.notes.two", "Notes"),
)


@pytest.mark.requirement("cetp.2.3.namespace")
async def test_apps_whose_labels_say_nothing_or_are_equal_are_told_apart_and_the_same_after_a_restart(
    tmp_path: Path,
) -> None:
    seen = []
    for order in (FOUR, tuple(reversed(FOUR))):
        async with whole(tmp_path) as running:
            packs = [app(package, label, "get") for package, label in order]
            async with VirtualPhone(running.url, packs=packs) as phone:
                await phone.until_registered()
                seen.append(await who_answers(running))
    assert len(seen[0]) == 4
    assert sorted(seen[0].values()) == sorted(f"{package} get" for package, _ in FOUR)
    assert seen[0] == seen[1]


async def test_two_phones_with_the_same_app_are_told_apart_and_the_first_alone_has_its_plain_name_again(
    tmp_path: Path,
) -> None:
    async with whole(tmp_path) as running, raw_phone(running.port, "notes__get", device_id="one"):
        assert await names_of(running) == ["notes__get"]
        changed = asyncio.Event()
        async with raw_phone(running.port, "notes__get", device_id="two"):
            both = await names_of(running)
            assert len(set(both)) == 2
            assert "notes__get" not in both
            running.runtime.registry.subscribe(lambda _: changed.set())
        async with asyncio.timeout(5):
            await changed.wait()
        assert await names_of(running) == ["notes__get"]


async def offered_to_model(tmp_path: Path, *packs: Pack, **rules: Any) -> list[str]:
    """The names that a turn's model is offered under these rules."""
    model = ScriptedModel([ScriptedStep(text="hello")])
    async with (
        whole(tmp_path, model, settings=open_settings(tools=rules)) as running,
        VirtualPhone(running.url, packs=packs) as phone,
        chat(running) as socket,
    ):
        await phone.until_registered()
        await send(socket, type="message", content="hello")
        await until(socket, "done")
    return [spec.name for spec in model.requests[0].tools]


LOOK_ALIKES = (
    app("com.a", "home.notes", "wipes"),
    app("com.b", "home notes", "wipes"),
    app("com.c", "home", "a__b"),
    app("com.d", "home__a", "b"),
)


@pytest.mark.requirement("runtime.security.filter")
async def test_a_rule_for_one_app_lets_no_look_alike_through(tmp_path: Path) -> None:
    everything = await offered_to_model(tmp_path, *LOOK_ALIKES)
    assert len(set(everything)) == 4
    for name in everything:
        assert await offered_to_model(tmp_path, *LOOK_ALIKES, allowed=[name]) == [name]


async def test_deny_wins_and_letter_case_counts(tmp_path: Path) -> None:
    notes = app("com.a", "notes", "list", "find")
    both = await offered_to_model(tmp_path, notes)
    assert len(both) == 2
    assert await offered_to_model(tmp_path, notes, allowed=both, denied=[both[0]]) == both[1:]
    assert await offered_to_model(tmp_path, notes, denied=[both[0].upper()]) == both


@pytest.mark.parametrize("rule", ["Home_Notes__Wipe", "*__wip"])
async def test_a_rule_that_matches_no_tool_is_reported(
    tmp_path: Path, rule: str, caplog: pytest.LogCaptureFixture
) -> None:
    await offered_to_model(tmp_path, *LOOK_ALIKES, denied=[rule])
    assert any(rule in record.getMessage() for record in caplog.records)
