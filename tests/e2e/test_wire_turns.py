"""The frames of a turn on the ClawSeed wire protocol: which come, in which order, to whom."""

import json
from pathlib import Path

import pytest

from cetp_gateway.api import ToolUse, Usage
from cetp_gateway.errors import ModelFailed, ModelFailure
from cetp_gateway.testing import Hold, ScriptedModel, ScriptedStep
from support.whole import call_step, open_settings, whole
from support.wire_client import kinds, wire


@pytest.mark.requirement("runtime.remote.frames", "runtime.remote.usable")
async def test_a_turn_shows_thoughts_text_calls_results_and_one_end_in_order(tmp_path: Path) -> None:
    usage = Usage(input_tokens=7, output_tokens=3, cached_input_tokens=2)
    steps = [
        ScriptedStep(thinking="Hm.", text="Look. ", calls=call_step("lamp__state", room="attic").calls, usage=usage),
        ScriptedStep(text="It is on.", usage=usage),
    ]
    async with whole(tmp_path, steps) as running, wire(running) as client:
        await client.register("lamp__state")
        await client.say("message", content="is it on?")
        before = await client.until("tool_call_request")
        await client.answer(before[-1], '{"on": true}')
        after = await client.until("done")
    assert kinds(before) == ["thinking", "chunk", "tool_call", "tool_call_request"]
    assert before[2] == {"type": "tool_call", "id": "c1", "name": "lamp__state", "args": {"room": "attic"}}
    assert (before[3]["name"], before[3]["args"]) == ("lamp__state", {"room": "attic"})
    assert kinds(after) == ["tool_result", "chunk", "chunk", "chunk_reset", "done"]
    assert after[0] == {"type": "tool_result", "id": "c1", "name": "lamp__state", "output": '{"on": true}'}
    assert after[-1]["full_response"] == "Look. It is on."
    elapsed_ms = after[-1]["metrics"].pop("elapsed_ms")
    assert isinstance(elapsed_ms, int)
    assert after[-1]["metrics"] == {"input_tokens": 14, "output_tokens": 6, "cached_input_tokens": 4}


async def test_five_calls_are_all_announced_first_run_at_once_and_shown_in_their_order(tmp_path: Path) -> None:
    calls = tuple(ToolUse(f"c{n}", "echo", {"n": n}) for n in range(5))
    async with (
        whole(tmp_path, [ScriptedStep(calls=calls), ScriptedStep(text="ok")]) as running,
        wire(running) as client,
    ):
        await client.register("echo")
        await client.say("message", content="five times")
        opening = [await client.next() for _ in range(10)]
        assert kinds(opening) == ["tool_call"] * 5 + ["tool_call_request"] * 5
        requests = opening[5:]
        assert len({request["id"] for request in requests} | {call["id"] for call in opening[:5]}) == 10
        for request in (requests[n] for n in (3, 0, 4, 2, 1)):
            await client.answer(request, str(request["args"]["n"]))
        results = (await client.until("done"))[:5]
    assert [(result["id"], result["output"]) for result in results] == [(f"c{n}", str(n)) for n in range(5)]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"type": "tool_error", "error": "[AUTH_REQUIRED] sign in first"}, "[AUTH_REQUIRED] sign in first"),
        ({"type": "tool_error"}, "[INTERNAL_ERROR]"),
        ({"type": "tool_result", "output": "half", "success": False, "error": "disk full"}, "disk full"),
        ({"type": "tool_result", "output": "all I know", "success": False}, "all I know"),
    ],
)
async def test_a_call_that_fails_is_told_to_the_model_and_ends_no_turn(
    tmp_path: Path, answer: dict[str, object], told: str
) -> None:
    model = ScriptedModel([call_step("lamp__state"), ScriptedStep(text="It failed.")])
    async with whole(tmp_path, model) as running, wire(running) as client:
        await client.register("lamp__state")
        await client.say("message", content="is it on?")
        request = (await client.until("tool_call_request"))[-1]
        await client.socket.send(json.dumps(answer | {"id": request["id"]}))
        frames = await client.until("done")
    assert kinds(frames)[:2] == ["result_acknowledged", "tool_result"]
    assert frames[1]["output"].startswith("Error: ")
    assert told in frames[1]["output"]
    assert told in str(model.requests[1].messages[-1])
    assert frames[-1]["full_response"] == "It failed."


async def test_a_call_with_unreadable_arguments_is_shown_with_none_and_no_phone_is_asked(tmp_path: Path) -> None:
    broken = ToolUse("c1", "lamp__state", "{half", problem="not JSON")
    steps = [ScriptedStep(calls=(broken,)), ScriptedStep(text="ok")]
    async with whole(tmp_path, steps) as running, wire(running) as client:
        await client.register("lamp__state")
        frames = await client.ask()
    assert kinds(frames)[:2] == ["tool_call", "tool_result"]
    assert frames[0]["args"] == {}
    assert "tool_call_request" not in kinds(frames)


async def test_frames_are_read_while_a_turn_runs(tmp_path: Path) -> None:
    hold = Hold()
    model = ScriptedModel([ScriptedStep(hold=hold), ScriptedStep(text="ok")])
    async with whole(tmp_path, model) as running, wire(running) as client:
        await client.say("message", content="wait")
        await hold.reached.wait()
        assert (await client.register("lamp__state"))["registered"] == 1
        assert list(await client.held()) == ["lamp__state"]
        await client.say("tool_response")
        assert (await client.hear("error"))["code"] == "UNKNOWN_MESSAGE_TYPE"
        await client.say("message", content="and now?")
        await client.nothing_waits()
        hold.released.set()
        await client.until("done")
        assert (await client.until("done"))[-1]["full_response"] == "ok"
    assert [[tool.name for tool in request.tools] for request in model.requests] == [[], ["lamp__state"]]


async def test_the_prompt_is_shown_once_and_only_to_who_asks_for_it(tmp_path: Path) -> None:
    steps = [call_step("nobody"), ScriptedStep(text="one"), ScriptedStep(text="two")]
    async with whole(tmp_path, steps) as running, wire(running) as client:
        shown = await client.ask("what is due?", debug=True)
        assert kinds(shown).count("debug_prompt") == 1
        assert shown[0]["type"] == "debug_prompt"
        assert "what is due?" in str(json.loads(shown[0]["messages"]))
        assert shown[0]["estimated_tokens"] > 0
        assert "debug_prompt" not in kinds(await client.ask("and now?"))


@pytest.mark.parametrize("content", ["", " \n", 7, ["hello"], {"text": "hello"}, None])
async def test_a_message_without_text_is_empty_content(tmp_path: Path, content: object) -> None:
    async with whole(tmp_path) as running, wire(running) as client:
        await client.say("message", content=content)
        assert (await client.hear("error"))["code"] == "EMPTY_CONTENT"


@pytest.mark.parametrize("attached", [{"attachments": [{"type": "image", "id": "i1"}]}, {"files": ["a.pdf"]}])
async def test_attachments_are_refused_in_words_and_the_text_alone_is_taken(
    tmp_path: Path, attached: dict[str, object]
) -> None:
    model = ScriptedModel([ScriptedStep(text="hi")])
    async with whole(tmp_path, model) as running, wire(running) as client:
        await client.say("message", content="look", **attached)
        error = await client.hear("error")
        assert error["code"] == "IMAGE_MODEL_UNSUPPORTED"
        assert "text" in error["message"]
        assert model.requests == []
        await client.ask("look", attachments=[], files=[])


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (ModelFailure.AUTH, "AUTH_ERROR"),
        (ModelFailure.REFUSED_REQUEST, "PROVIDER_ERROR"),
        (ModelFailure.SETUP, "PROVIDER_ERROR"),
    ],
)
async def test_a_model_that_fails_ends_the_turn_with_its_words_and_the_next_turn_runs(
    tmp_path: Path, failure: ModelFailure, code: str
) -> None:
    steps = [ScriptedStep(fails=ModelFailed(failure, "The vendor said no.")), ScriptedStep(text="hi")]
    async with whole(tmp_path, steps) as running, wire(running) as client:
        await client.say("message", content="hello")
        error = await client.hear("error")
        assert error == {"type": "error", "code": code, "message": "The vendor said no."}
        assert (await client.ask())[-1]["full_response"] == "hi"


async def test_a_title_follows_the_first_turn_on_every_socket_of_a_session_without_a_name(tmp_path: Path) -> None:
    model = ScriptedModel([ScriptedStep(text="hi")] * 3, completions=["Rent and bills"])
    settings = open_settings(sessions={"titles": True})
    async with (
        whole(tmp_path, model, settings=settings) as running,
        wire(running, "?session_id=mine") as mine,
        wire(running, "?session_id=mine") as watching,
        wire(running, "?session_id=named&name=Trip") as named,
    ):
        await mine.ask()
        assert (await mine.hear("title_updated"))["title"] == "Rent and bills"
        assert (await watching.hear("title_updated"))["title"] == "Rent and bills"
        for client in (mine, named):
            await client.ask()
            await client.nothing_waits()
        async with wire(running, "?session_id=mine") as again:
            assert again.greeting["name"] == "Rent and bills"


async def test_nothing_of_a_turn_reaches_another_session(tmp_path: Path) -> None:
    failing = ScriptedStep(fails=ModelFailed(ModelFailure.SETUP, "no"))
    async with (
        whole(tmp_path, [ScriptedStep(text="hi"), failing]) as running,
        wire(running, "?session_id=mine&name=Mine") as mine,
        wire(running, "?session_id=yours") as yours,
    ):
        await mine.ask()
        await mine.say("message", content="again")
        await mine.hear("error")
        await yours.nothing_waits()
