"""Several sockets and turns of one session on the ClawSeed wire protocol: a line of bounded length, one history."""

from pathlib import Path

from cetp_gateway.testing import Hold, ScriptedModel, ScriptedStep
from support.whole import open_settings, whole
from support.wire_client import wire

NAMED = "?session_id=s&name=Named"
"""A session that gets no title, which would come at any time."""


async def test_two_sockets_of_one_session_take_turns_in_one_history(tmp_path: Path) -> None:
    hold = Hold()
    model = ScriptedModel([ScriptedStep(text="first answer", hold=hold), ScriptedStep(text="second answer")])
    async with (
        whole(tmp_path, model) as running,
        wire(running, NAMED) as one,
        wire(running, NAMED) as other,
    ):
        await one.say("message", content="first question")
        await hold.reached.wait()
        await other.say("message", content="second question")
        await other.nothing_waits()
        assert len(model.requests) == 1
        hold.released.set()
        assert (await one.until("done"))[-1]["full_response"] == "first answer"
        assert (await other.until("done"))[-1]["full_response"] == "second answer"
        await one.nothing_waits()
    assert "first answer" in str(model.requests[1].messages)


async def test_tools_of_one_socket_are_not_for_the_turns_of_another_of_the_same_session(tmp_path: Path) -> None:
    model = ScriptedModel([ScriptedStep(text="hi")] * 2)
    async with (
        whole(tmp_path, model) as running,
        wire(running, NAMED) as one,
        wire(running, NAMED) as other,
    ):
        await one.register("lamp__state")
        assert await other.held() == {}
        await one.ask()
        await other.ask()
    assert [[tool.name for tool in request.tools] for request in model.requests] == [["lamp__state"], []]


async def test_a_full_line_is_told_at_once_and_the_turns_in_it_go_on(tmp_path: Path) -> None:
    hold = Hold()
    model = ScriptedModel([ScriptedStep(hold=hold, text="one"), ScriptedStep(text="two")])
    settings = open_settings(limits={"turns_per_session": 2})
    async with whole(tmp_path, model, settings=settings) as running, wire(running) as client:
        for text in ("first", "second", "third"):
            await client.say("message", content=text)
        frames = await client.until("error")
        assert frames[-1]["code"] == "SESSION_BUSY"
        hold.released.set()
        await client.until("done")
        assert (await client.until("done"))[-1]["full_response"] == "two"
    assert "third" not in str(model.requests)


async def test_a_wait_that_is_too_long_is_told_and_costs_the_running_turn_nothing(tmp_path: Path) -> None:
    hold = Hold()
    settings = open_settings(limits={"queue_wait_s": 0.05})
    async with (
        whole(tmp_path, [ScriptedStep(hold=hold, text="one")], settings=settings) as running,
        wire(running, NAMED) as one,
        wire(running, NAMED) as other,
    ):
        await one.say("message", content="first")
        await hold.reached.wait()
        await other.say("message", content="second")
        assert (await other.hear("error"))["code"] == "SESSION_BUSY"
        hold.released.set()
        assert (await one.until("done"))[-1]["full_response"] == "one"
