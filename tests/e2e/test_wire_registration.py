"""Tool lists over a socket of the ClawSeed wire protocol: what old clients send, and our extensions."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from cetp_gateway.server.serve import Gateway
from cetp_gateway.testing import ScriptedModel, ScriptedStep
from support.whole import WITHIN_S, Frame, open_settings, rest, whole
from support.wire_client import tool_entry, wire

VERDICTS, UNREGISTER, SHARED, READ_ONLY = "cetp.registration", "cetp.unregister", "cetp.shared", "cetp.read_only"


def odd(**changes: Any) -> dict[str, Any]:
    """A tool that is plain but for these fields."""
    return tool_entry("lamp__state") | changes


async def names(running: Gateway) -> set[str]:
    """Public names in `/api/tools`, quarantined ones left out."""
    async with rest(running) as http:
        rows: list[Frame] = (await http.get("/api/tools")).json()["tools"]
    return {row["name"] for row in rows if row["state"] != "quarantined"}


@pytest.mark.requirement("runtime.remote.register", "runtime.remote.visible", "cetp.1.json-schema")
async def test_a_registered_tool_is_listed_with_its_schema_and_socket(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"room": {"type": "string"}}, "required": ["room"]}
    async with whole(tmp_path) as running, wire(running) as phone, rest(running) as http:
        assert await phone.register(odd(parameters=schema)) == {
            "type": "tools_registered",
            "count": 1,
            "registered": 1,
        }
        (row,) = (await http.get("/api/tools")).json()["tools"]
        assert row["parameters"] == schema
        assert (row["source_type"], row["source"]) == ("remote", phone.session_id)


async def test_a_list_that_grows_by_one_in_each_of_many_frames_is_answered_frame_by_frame(tmp_path: Path) -> None:
    tools = [tool_entry(f"t{n}") for n in range(40)]
    async with whole(tmp_path) as running, wire(running) as phone:
        for size in range(1, 41):
            await phone.say("register_tools", tools=tools[:size])
        for size in range(1, 41):
            answer = await phone.hear("tools_registered")
            assert (answer["count"], answer["registered"]) == (size, size)
        before = running.runtime.registry.revision
        await phone.register(*tools)
        assert running.runtime.registry.revision == before
        assert len(await names(running)) == 40


async def test_tools_are_added_and_replaced_by_name_and_an_empty_list_takes_nothing_away(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, wire(running) as phone:
        await phone.register("a", "b")
        assert (await phone.register("c"))["registered"] == 3
        assert (await phone.register(tool_entry("a") | {"description": "Says more."}))["registered"] == 3
        assert (await phone.register())["registered"] == 3
        held = await phone.held()
    assert set(held) == {"a", "b", "c"}
    assert held["a"]["description"] == "Says more."


async def test_extensions_that_were_not_granted_do_nothing_and_are_told_in_words(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, wire(running) as phone:
        await phone.introduce()
        await phone.register("a")
        assert (await phone.register("b", replace=True))["registered"] == 2
        await phone.say("unregister_tools", names=["a"])
        error = await phone.hear("error")
        assert error["code"] == "UNKNOWN_MESSAGE_TYPE"
        assert UNREGISTER in error["message"]
        assert set(await phone.held()) == {"a", "b"}


async def test_tools_are_taken_away_by_name_and_as_a_whole(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, wire(running) as phone:
        await phone.introduce(UNREGISTER)
        await phone.register("a", "b", "c")
        await phone.say("unregister_tools", names=["a", "unknown"])
        assert (await phone.hear("tools_registered"))["registered"] == 2
        assert await names(running) == {"b", "c"}
        await phone.register("d", replace=True)
        assert await names(running) == {"d"}
        await phone.register(replace=True)
        assert await names(running) == set()
        await phone.say("unregister_tools", names="all")
        error = await phone.hear("error")
        assert error["code"] == "INVALID_FIELD"
        assert "names" in error["message"]


@pytest.mark.parametrize(
    ("tool", "state", "reason"),
    [
        (odd(), "accepted", ""),
        (odd(name="lamp state"), "renamed", "name"),
        (odd(name="l" * 65), "renamed", "name"),
        (odd(parameters={}), "repaired", "without parameters"),
        (odd(parameters={"type": "objct"}), "quarantined", "type"),
        (odd(parameters="none"), "quarantined", "object"),
        (odd(parameters={"type": "array"}), "quarantined", "object"),
        (odd(parameters={"$ref": "https://example.org/s.json"}), "quarantined", "example.org"),
        (odd(name=""), "quarantined", "name"),
        (odd(name="ñ" * 101), "quarantined", "limits.tool_name_chars"),
    ],
)
async def test_what_became_of_a_tool_is_told_with_the_reason(
    tmp_path: Path, tool: dict[str, Any], state: str, reason: str
) -> None:
    model = ScriptedModel([ScriptedStep(text="hi")])
    settings = open_settings(limits={"tool_name_chars": 100})
    async with whole(tmp_path, model, settings=settings) as running, wire(running) as phone:
        await phone.introduce(VERDICTS)
        answer = await phone.register(tool, "other")
        verdict, other = answer["tools"]
        assert (verdict["name"], verdict["state"]) == (tool["name"], state)
        assert reason in verdict.get("reason", "")
        assert other == {"name": "other", "public_name": "other", "state": "accepted"}
        assert answer["registered"] == 2
        assert set(await phone.held()) == {tool["name"], "other"}
        await phone.ask()
    offered = {spec.name for spec in model.requests[0].tools}
    assert offered == {"other", verdict["public_name"]} if state != "quarantined" else {"other"}


async def test_entries_that_are_no_tools_have_no_verdict_and_of_equal_names_the_last_counts(tmp_path: Path) -> None:
    wrong: list[Any] = [{"name": "b", "description": "no parameters"}, None, "text", 7]
    async with whole(tmp_path) as running, wire(running) as phone:
        await phone.introduce(VERDICTS)
        await phone.say("register_tools", tools=[*wrong, tool_entry("a"), odd(name="a", description="Later.")])
        answer = await phone.hear("tools_registered")
        assert (answer["count"], answer["registered"]) == (6, 1)
        assert [(tool["name"], tool["state"]) for tool in answer["tools"]] == [("a", "quarantined"), ("a", "accepted")]
        assert (await phone.held())["a"]["description"] == "Later."


async def test_tools_that_say_they_write_are_held_until_the_owner_allows_them(tmp_path: Path) -> None:
    writing = odd(name="notes__delete", description="Delete a note.")
    async with whole(tmp_path / "closed") as running, wire(running) as phone:
        await phone.introduce(VERDICTS, READ_ONLY, SHARED)
        answer = await phone.register(writing, odd(name="notes__odd", effect="writes"), "notes__read")
        assert [tool["state"] for tool in answer["tools"]] == ["quarantined", "quarantined", "accepted"]
        assert all("writ" in tool["reason"] for tool in answer["tools"][:2])
        assert await names(running) == {"notes__read"}
        async with rest(running) as http:
            called = (await http.post("/api/tools/notes__delete/call", json={})).json()
        assert called["outcome"] == "unknown_tool"
    allowing = open_settings(tools={"allow_writing": ["notes__del*"]})
    async with whole(tmp_path / "open", settings=allowing) as running, wire(running) as phone:
        await phone.introduce(VERDICTS, READ_ONLY)
        (verdict,) = (await phone.register(writing))["tools"]
        assert verdict["state"] == "accepted"


async def test_who_promises_nothing_may_offer_tools_that_write(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, wire(running) as client:
        await client.introduce(VERDICTS)
        (verdict,) = (await client.register(odd(name="notes__delete")))["tools"]
        assert verdict["state"] == "accepted"


async def test_tools_beyond_the_limit_are_not_taken_and_the_limit_is_named(tmp_path: Path) -> None:
    settings = open_settings(limits={"tools_per_device": 2})
    async with whole(tmp_path, settings=settings) as running, wire(running) as phone:
        await phone.say("register_tools", tools=[tool_entry(name) for name in "abc"])
        frames = {frame["type"]: frame for frame in [await phone.next(), await phone.next()]}
        answer, error = frames["tools_registered"], frames["error"]
        assert (answer["count"], answer["registered"]) == (2, 2)
        assert error["code"] == "TOO_MANY_TOOLS"
        assert "limits.tools_per_device" in error["message"]
        assert await names(running) == {"a", "b"}


async def test_only_who_asked_for_it_is_told_that_tools_have_changed(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, wire(running) as curious, wire(running) as plain, wire(running) as phone:
        await curious.introduce("cetp.notices", device_id="tablet")
        await plain.introduce(SHARED, device_id="laptop")
        await phone.introduce(SHARED, VERDICTS)
        revision = (await phone.register("a"))["revision"]
        assert await curious.hear("tools_changed") == {"type": "tools_changed", "revision": revision}
        await phone.socket.close()
        assert (await curious.hear("tools_changed"))["revision"] > revision
        await plain.nothing_waits()


@pytest.mark.requirement("runtime.remote.cleanup")
@pytest.mark.parametrize("how", ["closes", "is cut off"])
async def test_tools_go_with_their_socket_and_those_of_others_stay(tmp_path: Path, how: str) -> None:
    changed = asyncio.Event()
    async with whole(tmp_path) as running, wire(running) as phone, wire(running) as other:
        await phone.register("a", "b")
        await other.register("b", "c")
        running.runtime.registry.subscribe(lambda _: changed.set())
        if how == "closes":
            await phone.socket.close()
        else:
            phone.drop()
        async with asyncio.timeout(WITHIN_S):
            await changed.wait()
        assert await names(running) == {"b", "c"}
