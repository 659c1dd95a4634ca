"""Stopping a turn of the ClawSeed wire protocol at any moment: by its own socket, another one, REST, or a loss."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from cetp_gateway.server.serve import Gateway
from cetp_gateway.testing import Hold, ScriptedModel, ScriptedStep
from support.whole import WITHIN_S, call_step, rest, whole
from support.wire_client import WireClient, kinds, wire

MARK = "[interrupted by user]"


async def stored(running: Gateway, session_id: str) -> list[dict[str, Any]]:
    async with rest(running) as http:
        rows: list[dict[str, Any]] = (await http.get(f"/api/sessions/{session_id}/messages")).json()["messages"]
    return rows


async def abort(client: WireClient) -> None:
    """Stop the running turn; the acknowledgement and the end come, in this order, and nothing else."""
    await client.say("abort")
    assert await client.hear("abort_ack") == {"type": "abort_ack", "status": "aborted"}
    assert await client.hear("aborted") == {"type": "aborted"}
    await client.nothing_waits()


async def test_a_turn_is_stopped_while_its_text_streams_and_the_text_is_kept_with_a_mark(tmp_path: Path) -> None:
    model = ScriptedModel([ScriptedStep(text="Half", hold=Hold()), ScriptedStep(text="hi")])
    async with whole(tmp_path, model) as running, wire(running) as client:
        await client.say("message", content="a long story")
        assert (await client.hear("chunk"))["content"] == "Half"
        await abort(client)
        assert model.open_streams == 0
        question, answer = await stored(running, client.session_id)
        assert question["content"] == "a long story"
        assert answer["content"] == f"Half\n{MARK}"
        assert (await client.ask())[-1]["full_response"] == "hi"


async def test_a_turn_is_stopped_before_the_model_has_said_anything(tmp_path: Path) -> None:
    hold = Hold()
    model = ScriptedModel([ScriptedStep(hold=hold), ScriptedStep(text="hi")])
    async with whole(tmp_path, model) as running, wire(running) as client:
        await client.say("message", content="hello")
        await hold.reached.wait()
        await abort(client)
        assert (await client.ask())[-1]["full_response"] == "hi"
    assert len(model.requests) == 2


@pytest.mark.parametrize("told", [True, False])
async def test_a_turn_is_stopped_during_a_call_and_only_who_can_is_told_of_it(tmp_path: Path, told: bool) -> None:
    model = ScriptedModel([call_step("lamp__state"), ScriptedStep(text="hi")])
    async with whole(tmp_path, model) as running, wire(running) as client:
        await client.introduce(*["cetp.cancel"] * told)
        await client.register("lamp__state")
        await client.say("message", content="is it on?")
        request = (await client.until("tool_call_request"))[-1]
        await client.say("abort")
        frames = await client.until("aborted")
        assert frames[0] == {"type": "abort_ack", "status": "aborted"}
        assert kinds(frames)[1:-1] == ["tool_call_cancel"] * told
        await client.answer(request, "too late")
        assert (await client.ask())[-1]["full_response"] == "hi"
    assert "too late" not in str(model.requests[1])


async def test_a_turn_is_stopped_over_rest(tmp_path: Path) -> None:
    hold = Hold()
    async with whole(tmp_path, [ScriptedStep(hold=hold)]) as running, wire(running) as client, rest(running) as http:
        path = f"/api/sessions/{client.session_id}/abort"
        assert (await http.post(path, json={})).json() == {"status": "no_active_response"}
        await client.say("message", content="hello")
        await hold.reached.wait()
        assert (await http.post(path, json={})).json() == {"status": "aborted"}
        await client.hear("aborted")


async def test_another_socket_of_the_session_stops_its_turn_and_one_of_another_session_does_not(
    tmp_path: Path,
) -> None:
    hold = Hold()
    async with (
        whole(tmp_path, [ScriptedStep(hold=hold)]) as running,
        wire(running, "?session_id=mine") as asking,
        wire(running, "?session_id=mine") as stopping,
        wire(running, "?session_id=yours") as stranger,
    ):
        await asking.say("message", content="hello")
        await hold.reached.wait()
        await stranger.say("abort")
        assert (await stranger.hear("abort_ack"))["status"] == "no_active_response"
        await stopping.say("abort")
        assert (await stopping.hear("abort_ack"))["status"] == "aborted"
        await asking.hear("aborted")
        await stopping.nothing_waits()


async def test_the_turn_that_waits_behind_a_stopped_one_runs(tmp_path: Path) -> None:
    hold = Hold()
    async with whole(tmp_path, [ScriptedStep(hold=hold), ScriptedStep(text="hi")]) as running, wire(running) as client:
        await client.say("message", content="first")
        await client.say("message", content="second")
        await hold.reached.wait()
        await client.say("abort")
        assert kinds(await client.until("done"))[:2] == ["abort_ack", "aborted"]


async def test_a_turn_ends_with_its_socket_while_text_streams_and_the_session_is_free(tmp_path: Path) -> None:
    model = ScriptedModel([ScriptedStep(text="Half", hold=Hold()), ScriptedStep(text="hi")])
    async with whole(tmp_path, model) as running:
        async with wire(running, "?session_id=s") as lost:
            await lost.say("message", content="a long story")
            await lost.hear("chunk")
            lost.drop()
        async with asyncio.timeout(WITHIN_S):
            await model.idle()
        async with wire(running, "?session_id=s") as client:
            assert client.greeting["resumed"]
            assert (await client.ask())[-1]["full_response"] == "hi"
        assert (await stored(running, "s"))[1]["content"] == f"Half\n{MARK}"


async def test_a_turn_ends_with_its_socket_during_a_call_and_keeps_no_message_waiting(tmp_path: Path) -> None:
    model = ScriptedModel([call_step("lamp__state"), ScriptedStep(text="hi")])
    async with whole(tmp_path, model) as running:
        async with wire(running, "?session_id=s") as lost:
            await lost.register("lamp__state")
            await lost.say("message", content="is it on?")
            await lost.until("tool_call_request")
            lost.drop()
        async with wire(running, "?session_id=s") as client:
            assert (await client.ask())[-1]["full_response"] == "hi"
    assert not model.requests[1].tools
