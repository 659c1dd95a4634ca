"""Where tools come from and who may use them, seen from turns, REST and the phone at once."""

import asyncio
from pathlib import Path

import pytest

from cetp_gateway.api import Answered, Arguments, CallContext, Effect, Outcome, ToolSpec
from cetp_gateway.assemble import Parts
from cetp_gateway.phone import VirtualPhone
from cetp_gateway.server.serve import Gateway
from cetp_gateway.testing import Hold, ScriptedModel, ScriptedStep
from support.phones import NOTES, shipped
from support.whole import call_step, chat, open_settings, register, rest, send, until, whole


class Clock:
    """A built-in tool."""

    spec = ToolSpec(
        name="clock",
        description="Tells the time.",
        parameters={"type": "object", "properties": {}},
        effect=Effect.READS,
    )

    async def execute(self, arguments: Arguments, context: CallContext) -> Outcome:
        return Answered("12:00")


def phone(running: Gateway, device_id: str = "pixel") -> VirtualPhone:
    return VirtualPhone(running.url, packs=[shipped(NOTES)], device_id=device_id, device_name=device_id)


async def listed(running: Gateway) -> dict[str, str]:
    """Names and sources of `/api/tools`."""
    async with rest(running) as client:
        rows = (await client.get("/api/tools")).json()["tools"]
    return {row["name"]: row["source_type"] for row in rows}


@pytest.mark.requirement("cetp.3.1.no-difference", "runtime.remote.same", "runtime.registry.sources")
async def test_the_agent_uses_a_phones_tool_and_its_own_alike_in_one_step(tmp_path: Path) -> None:
    model = ScriptedModel([
        ScriptedStep(calls=(*call_step("clock").calls, *call_step("notes__list_notebooks", "c2").calls)),
        ScriptedStep(text="It is noon and there are notebooks."),
    ])  # fmt: skip
    async with whole(tmp_path, model, parts=Parts(tools=[Clock()])) as running, phone(running) as notes:
        await notes.until_registered()
        assert await listed(running) == {
            "clock": "builtin",
            "notes__list_notebooks": "remote",
            "notes__read_note": "remote",
            "notes__search_notes": "remote",
        }
        async with chat(running) as socket:
            await send(socket, type="message", content="what time is it, and which notebooks are there?")
            frames = await until(socket, "done")
    results = [frame for frame in frames if frame["type"] == "tool_result"]
    assert [result["name"] for result in results] == ["clock", "notes__list_notebooks"]
    assert results[0]["output"] == "12:00"
    assert "Work" in results[1]["output"]


@pytest.mark.requirement("runtime.abstractions.registry", "runtime.registry.lookup", "runtime.mcp.not-claimed")
async def test_one_registry_lists_every_source_and_claims_no_mcp(tmp_path: Path) -> None:
    async with whole(tmp_path, parts=Parts(tools=[Clock()])) as running, phone(running) as notes:
        await notes.until_registered()
        view = running.runtime.registry.view()
        assert [spec.name for spec in view.specs()] == list(await listed(running))
        assert all(view.find(spec.name) is not None for spec in view.specs())
        assert set((await listed(running)).values()) == {"builtin", "remote"}
        async with rest(running) as client:
            assert (await client.post("/mcp", json={})).status_code == 404


@pytest.mark.requirement("runtime.remote.cleanup")
async def test_a_phones_tools_go_with_it(tmp_path: Path) -> None:
    changed = asyncio.Event()
    async with whole(tmp_path) as running:
        async with phone(running) as notes:
            await notes.until_registered()
            assert await listed(running)
            running.runtime.registry.subscribe(lambda _: changed.set())
        async with asyncio.timeout(5):
            await changed.wait()
        assert await listed(running) == {}


@pytest.mark.requirement("runtime.registry.replace")
async def test_registering_a_name_again_replaces_that_tool(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, chat(running) as socket:
        await register(socket, "lamp__state")
        again = {"name": "lamp__state", "description": "Says more.", "parameters": {}}
        await send(socket, type="register_tools", tools=[again])
        assert (await until(socket, "tools_registered"))[-1]["registered"] == 1
        async with rest(running) as client:
            (row,) = (await client.get("/api/tools")).json()["tools"]
    assert row["description"] == "Says more."


@pytest.mark.requirement("runtime.registries.own-filter", "runtime.start.connection")
async def test_a_plain_clients_tools_are_seen_by_its_own_turns_only(tmp_path: Path) -> None:
    model = ScriptedModel([ScriptedStep(text="mine"), ScriptedStep(text="yours")])
    async with whole(tmp_path, model) as running, chat(running, "mine") as mine, chat(running, "yours") as yours:
        await register(mine, "lamp__state")
        for socket in (mine, yours):
            await send(socket, type="message", content="hello")
            await until(socket, "done")
    assert [[tool.name for tool in request.tools] for request in model.requests] == [["lamp__state"], []]


@pytest.mark.requirement("runtime.registry.filter", "runtime.security.filter")
async def test_denied_tools_are_never_offered_and_allowed_globs_bound_the_rest(tmp_path: Path) -> None:
    model = ScriptedModel([call_step("notes__read_note", id="n-1"), ScriptedStep(text="ok")])
    settings = open_settings(tools={"allowed": ["notes__*"], "denied": ["notes__read_*"]})
    async with (
        whole(tmp_path, model, settings=settings, parts=Parts(tools=[Clock()])) as running,
        phone(running) as notes,
        chat(running) as socket,
        rest(running) as client,
    ):
        await notes.until_registered()
        await send(socket, type="message", content="read it")
        await until(socket, "done")
        answer = await client.post("/api/tools/notes__read_note/call", json={"arguments": {"id": "n-1"}})
    assert [tool.name for tool in model.requests[0].tools] == ["notes__list_notebooks", "notes__search_notes"]
    assert "UNKNOWN_TOOL" in str(model.requests[1].messages[-1])
    assert answer.json()["outcome"] == "unknown_tool"


@pytest.mark.requirement("runtime.registry.concurrent")
async def test_calls_go_on_while_a_long_list_is_registered(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, phone(running) as notes, chat(running) as socket, rest(running) as client:
        await notes.until_registered()
        tools = [
            {"name": f"t{n}", "description": "x", "parameters": {"type": "object", "properties": {f"p{n}": {}}}}
            for n in range(1000)
        ]
        await send(socket, type="register_tools", tools=tools)
        answer = await client.post("/api/tools/notes__list_notebooks/call", json={})
        assert answer.json()["outcome"] == "answered"
        assert (await until(socket, "tools_registered"))[-1]["registered"] == 1000


@pytest.mark.requirement("runtime.registries.config")
async def test_a_changed_configuration_is_stored_and_holds_from_the_next_start(tmp_path: Path) -> None:
    text = '# mine\n[tools]\ndenied = ["clock"]\n'
    async with whole(tmp_path, parts=Parts(tools=[Clock()])) as running, rest(running) as client:
        assert (await client.put("/api/config", content=text, headers={"content-type": "text/plain"})).is_success
        assert (await client.get("/api/config")).json()["content"] == text
        assert "clock" in await listed(running)
    assert (tmp_path / "cetp.toml").read_text() == text


async def test_a_tool_that_goes_while_a_turn_runs_costs_its_call_and_not_the_turn(tmp_path: Path) -> None:
    hold = Hold()
    steps = [
        ScriptedStep(text="wait ", hold=hold, calls=call_step("notes__list_notebooks").calls),
        ScriptedStep(text="It is gone."),
    ]
    model = ScriptedModel(steps)
    async with whole(tmp_path, model) as running, chat(running) as socket:
        async with phone(running) as notes:
            await notes.until_registered()
            await send(socket, type="message", content="which notebooks are there?")
            await hold.reached.wait()
        hold.released.set()
        frames = await until(socket, "done")
    (result,) = [frame for frame in frames if frame["type"] == "tool_result"]
    assert result["output"].startswith("Error: ")
    assert frames[-1]["full_response"].endswith("It is gone.")
