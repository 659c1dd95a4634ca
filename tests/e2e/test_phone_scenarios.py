"""One set of scenarios for every kind of phone: the virtual one, the real apps on Android's framework, an attached one.

Each test gets new, empty phones and a gateway of its own, and sees only what an owner and an asker see.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from cetp_gateway.testing import ScriptedStep
from support.phone_android import AndroidPhones, android_phones
from support.phone_attached import attached
from support.phone_gateway import House, house
from support.phone_kind import Behaviour, PhoneKind, ScenarioPhone
from support.phone_packs import LAMP, NOTES, PackData, app, lamp, tool
from support.phone_virtual import VIRTUAL
from support.whole import Frame, call_step

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(240)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def android() -> AsyncIterator[AndroidPhones]:
    async with android_phones() as phones:
        yield phones


@pytest.fixture(params=["virtual", "android", "attached"])
def kind(request: pytest.FixtureRequest, android: AndroidPhones) -> PhoneKind:
    chosen = {"virtual": lambda: VIRTUAL, "android": android.kind, "attached": attached}[request.param]()
    if chosen.missing:
        pytest.skip(chosen.missing)
    return chosen


async def test_a_question_is_answered_from_the_notes_on_a_phone(tmp_path: Path, kind: PhoneKind) -> None:
    steps = [call_step("notes__search_notes", words="books"), ScriptedStep(text="On Friday.")]
    async with kind.phones(1) as (phone,), house(tmp_path, *steps, *steps) as home:
        await phone.install_notes()
        await phone.pair(await home.link())
        await phone.until_connected()
        await home.until_tools(lambda names: "notes__search_notes" in names)

        refused = await home.ask("When are my books due?")
        assert "AUTH_REQUIRED" in str(result(refused))
        await phone.authorise(NOTES)
        answered = await home.ask("When are my books due?")
        (found,) = json.loads(result(answered)["output"])["notes"]
        assert found["title"] == "Library books"
        assert answered[-1]["full_response"] == "On Friday."


async def test_apps_come_change_and_go_while_the_phone_is_connected(tmp_path: Path, kind: PhoneKind) -> None:
    async with kind.phones(1) as (phone,), house(tmp_path) as home:
        await phone.pair(await home.link())
        await phone.install(lamp())
        await home.until_tools({"lamp__state"})
        await phone.update(lamp(tool("state"), tool("colour", {"colour": "red"}), version="2.0"))
        await home.until_tools({"lamp__state", "lamp__colour"})
        assert "red" in (await home.call("lamp__colour"))["output"]
        await phone.update(lamp(tool("colour", {"colour": "blue"}), version="3.0"))
        await home.until_tools({"lamp__colour"})
        assert "blue" in (await home.call("lamp__colour"))["output"]
        await phone.remove(LAMP)
        await home.until_tools(set())
        assert (await home.call("lamp__colour"))["outcome"] == "unknown_tool"


async def test_a_gateway_that_restarts_in_the_middle_of_a_call_is_found_again(tmp_path: Path, kind: PhoneKind) -> None:
    async with kind.phones(1) as (phone,), house(tmp_path) as home:
        await connected(phone, home, lamp())
        await phone.misbehave(LAMP, Behaviour.HANG)
        cut_off = asyncio.create_task(home.call("lamp__state"))
        await phone.called(LAMP)
        await home.stop()
        assert (await cut_off)["outcome"] in {"device_gone", "cancelled"}

        await home.start()
        await home.until_tools({"lamp__state"})
        await phone.misbehave(LAMP, Behaviour.WELL)
        assert (await home.call("lamp__state"))["outcome"] == "answered"


async def test_a_revoked_phone_stops_and_asks_and_can_be_paired_again(tmp_path: Path, kind: PhoneKind) -> None:
    async with kind.phones(1) as (phone,), house(tmp_path) as home:
        await connected(phone, home, lamp())
        await home.revoke_phones()
        await phone.until_it_asks_to_pair_again()
        await home.until_tools(set())
        await phone.pair(await home.link())
        await home.until_tools({"lamp__state"})


async def test_the_owner_can_be_away_and_come_back(tmp_path: Path, kind: PhoneKind) -> None:
    async with kind.phones(1) as (phone,), house(tmp_path) as home:
        await connected(phone, home, lamp())
        await phone.disconnect()
        await home.until_tools(set())
        await phone.connect()
        await home.until_tools({"lamp__state"})


async def test_the_bridge_trusts_the_key_that_its_pairing_link_names(tmp_path: Path, android: AndroidPhones) -> None:
    if missing := android.kind().missing:
        pytest.skip(missing)
    async with android.kind().phones(1) as (phone,), house(tmp_path, tls=True) as home:
        await connected(phone, home, lamp())
        assert (await home.call("lamp__state"))["outcome"] == "answered"


async def test_a_supervised_agent_waits_until_the_owner_has_decided_on_the_phone(
    tmp_path: Path, android: AndroidPhones
) -> None:
    if missing := android.kind().missing:
        pytest.skip(missing)
    plan = tmp_path / "workspace" / "plan.md"
    steps = [call_step("write_file", path="plan.md", content="buy milk\n"), ScriptedStep(text="Done.")]
    tools = {"enabled": ["write_file"]}
    async with android.one() as phone, house(tmp_path, *steps, *steps, *steps, builtin=tools) as home:
        await phone.pair(await home.link())
        await phone.until_connected()

        asking = asyncio.create_task(home.ask("Plan the day."))
        denied = await phone.decide("deny")
        assert (denied.title, denied.end) == ("Allow write_file?", "DENIED")
        assert "buy milk" in denied.seen
        assert "write_file" not in denied.locked
        assert "denied" in str(result(await asking)).lower()
        assert not plan.exists()

        asking = asyncio.create_task(home.ask("Plan the day."))
        assert (await phone.decide("session")).end == "ALLOWED"
        assert "written" in result(await asking)["output"]
        assert plan.read_text() == "buy milk\n"

        plan.unlink()
        assert "written" in result(await home.ask("Plan it again."))["output"], "nobody is asked twice in a session"


async def test_a_model_is_answered_by_the_owner_on_the_phone(tmp_path: Path, android: AndroidPhones) -> None:
    if missing := android.kind().missing:
        pytest.skip(missing)
    steps = [call_step("ask_user", question="Which colour?", choices=["blue", "green"]), ScriptedStep(text="Done.")]
    async with android.one() as phone, house(tmp_path, *steps, *steps, builtin={"enabled": ["ask_user"]}) as home:
        await phone.pair(await home.link())
        await phone.until_connected()
        for words in ("green", "the blue of the door"):
            asking = asyncio.create_task(home.ask("Paint the kitchen."))
            replied = await phone.reply(words)
            assert (replied.seen, replied.end) == ("Which colour?", "ANSWERED")
            assert result(await asking)["output"] == f"The person answered: {words}"


@pytest.mark.parametrize(
    ("how", "outcome", "words"),
    [
        (Behaviour.CRASH, "refused", "ended during the call"),
        (Behaviour.HANG, "timed_out", ""),
        (Behaviour.HUGE, "refused", "too large"),
    ],
)
async def test_an_app_that_misbehaves_costs_its_call_and_nothing_else(
    tmp_path: Path, kind: PhoneKind, how: Behaviour, outcome: str, words: str
) -> None:
    radio = app("com.example.radio", "Radio", tool("station", {"station": "Jazz"}))
    async with kind.phones(1) as (phone,), house(tmp_path) as home:
        await connected(phone, home, lamp(), radio)
        await phone.misbehave(LAMP, how)
        failing = asyncio.create_task(home.call("lamp__state", within_ms=2_000))
        await phone.called(LAMP)
        assert "Jazz" in (await home.call("radio__station"))["output"]
        failed = await failing
        assert (failed["outcome"], failed.get("code", "")) == (outcome, "INTERNAL_ERROR" if words else "")
        assert words in str(failed)
        await phone.misbehave(LAMP, Behaviour.WELL)
        assert (await home.call("lamp__state"))["outcome"] == "answered"


async def test_two_phones_with_the_same_app_are_told_apart(tmp_path: Path, kind: PhoneKind) -> None:
    async with kind.phones(2) as phones, house(tmp_path) as home:
        for phone, colour in zip(phones, ("red", "blue"), strict=True):
            await connected(phone, home, lamp(tool("colour", {"colour": colour})))
        tools = await home.until_tools(lambda names: len(names) == 2)
        answers = [await home.call(name) for name in sorted(tools)]
        assert {answer["output"] for answer in answers} == {'{"colour":"red"}', '{"colour":"blue"}'}


async def test_twenty_apps_with_twenty_tools_are_all_offered_and_answer(tmp_path: Path, kind: PhoneKind) -> None:
    apps = [
        app(f"com.example.meter{n}", f"Meter {n}", *(tool(f"value_{m}", {"value": f"{n}/{m}"}) for m in range(20)))
        for n in range(20)
    ]
    async with kind.phones(1) as (phone,), house(tmp_path) as home:
        await asyncio.gather(*map(phone.install, apps))
        await phone.pair(await home.link())
        tools = await home.until_tools(lambda names: len(names) == 400)
        answers = await asyncio.gather(*(home.call(name) for name in tools))
        assert {answer["output"] for answer in answers} == {
            f'{{"value":"{n}/{m}"}}' for n in range(20) for m in range(20)
        }


async def connected(phone: ScenarioPhone, home: House, *apps: PackData) -> None:
    """Install apps and pair; the gateway has their tools then."""
    await asyncio.gather(*map(phone.install, apps))
    await phone.pair(await home.link())
    await phone.until_connected()
    await home.until_tools(lambda names: len(names) >= len(apps))


def result(frames: list[Frame]) -> Frame:
    """What the called tool gave."""
    return next(frame for frame in frames if frame["type"] == "tool_result")
