"""`regenerate` on the ClawSeed wire protocol: a new answer to the last question, and never a lost exchange."""

from pathlib import Path
from typing import Any

from cetp_gateway.errors import ModelFailed, ModelFailure
from cetp_gateway.server.serve import Gateway
from cetp_gateway.testing import Hold, ScriptedModel, ScriptedStep
from support.whole import open_settings, rest, whole
from support.wire_client import WireClient, kinds, wire

OLD, NEW = ScriptedStep(text="old"), ScriptedStep(text="new")
NAMED = "?session_id=s&name=Named"


async def exchange(running: Gateway) -> list[tuple[str, str]]:
    """Who said what in the session."""
    async with rest(running) as http:
        rows: list[dict[str, Any]] = (await http.get("/api/sessions/s/messages")).json()["messages"]
    return [(row["role"], row["content"]) for row in rows]


async def regenerate(client: WireClient, until: str, **more: Any) -> list[dict[str, Any]]:
    await client.say("regenerate", **more)
    return await client.until(until)


async def test_a_new_answer_takes_the_place_of_the_old_one_and_the_question_stays_once(tmp_path: Path) -> None:
    model = ScriptedModel([OLD, NEW])
    async with whole(tmp_path, model) as running, wire(running, NAMED) as client:
        await client.ask("why?")
        frames = await regenerate(client, "done")
        assert kinds(frames) == ["chunk", "chunk_reset", "done"]
        assert frames[-1]["full_response"] == "new"
        assert await exchange(running) == [("user", "why?"), ("assistant", "new")]
        async with wire(running, NAMED) as again:
            assert again.greeting["message_count"] == 2
    assert model.requests[1].messages == model.requests[0].messages


async def test_the_prompt_of_a_new_answer_is_shown_to_who_asks_for_it(tmp_path: Path) -> None:
    async with whole(tmp_path, [OLD, NEW]) as running, wire(running, NAMED) as client:
        await client.ask("why?")
        assert kinds(await regenerate(client, "done", debug=True))[0] == "debug_prompt"


async def test_a_session_without_a_question_has_nothing_to_answer_again(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, wire(running, NAMED) as client:
        assert (await regenerate(client, "error"))[-1]["code"] == "NO_USER_MESSAGE"


async def test_an_exchange_survives_a_regenerate_that_fails(tmp_path: Path) -> None:
    failing = ScriptedStep(text="ne", fails=ModelFailed(ModelFailure.BROKEN_ANSWER, "The answer ended early."))
    settings = open_settings(model={"retries": 0})
    async with whole(tmp_path, [OLD, failing], settings=settings) as running, wire(running, NAMED) as client:
        await client.ask("why?")
        assert (await regenerate(client, "error"))[-1]["code"] == "PROVIDER_ERROR"
        assert await exchange(running) == [("user", "why?"), ("assistant", "old")]


async def test_an_exchange_survives_a_regenerate_that_is_stopped_before_it_says_anything(tmp_path: Path) -> None:
    hold = Hold()
    async with whole(tmp_path, [OLD, ScriptedStep(hold=hold)]) as running, wire(running, NAMED) as client:
        await client.ask("why?")
        await client.say("regenerate")
        await hold.reached.wait()
        await client.say("abort")
        await client.until("aborted")
        assert await exchange(running) == [("user", "why?"), ("assistant", "old")]


async def test_an_exchange_survives_a_regenerate_whose_socket_is_lost(tmp_path: Path) -> None:
    hold = Hold()
    async with whole(tmp_path, [OLD, ScriptedStep(hold=hold), NEW]) as running:
        async with wire(running, NAMED) as client:
            await client.ask("why?")
            await client.say("regenerate")
            await hold.reached.wait()
        async with wire(running, NAMED) as client:
            await regenerate(client, "done")
        assert await exchange(running) == [("user", "why?"), ("assistant", "new")]


async def test_an_exchange_survives_a_regenerate_that_finds_the_line_full(tmp_path: Path) -> None:
    hold = Hold()
    settings = open_settings(limits={"turns_per_session": 1})
    async with (
        whole(tmp_path, [OLD, ScriptedStep(text="more", hold=hold)], settings=settings) as running,
        wire(running, NAMED) as one,
        wire(running, NAMED) as other,
    ):
        await one.ask("why?")
        await one.say("message", content="and?")
        await hold.reached.wait()
        assert (await regenerate(other, "error"))[-1]["code"] == "SESSION_BUSY"
        hold.released.set()
        await one.until("done")
        told = [("user", "why?"), ("assistant", "old"), ("user", "and?"), ("assistant", "more")]
        assert await exchange(running) == told


async def test_a_regenerate_beside_a_running_turn_waits_and_answers_that_turns_question(tmp_path: Path) -> None:
    hold = Hold()
    steps = [OLD, ScriptedStep(text="first", hold=hold), ScriptedStep(text="second")]
    async with (
        whole(tmp_path, steps) as running,
        wire(running, NAMED) as one,
        wire(running, NAMED) as other,
    ):
        await one.ask("why?")
        await one.say("message", content="and?")
        await hold.reached.wait()
        await other.say("regenerate")
        await other.nothing_waits()
        hold.released.set()
        await one.until("done")
        await other.until("done")
        told = [("user", "why?"), ("assistant", "old"), ("user", "and?"), ("assistant", "second")]
        assert await exchange(running) == told
