"""The scripted model, as a user's test sees it."""

import asyncio
from contextlib import aclosing
from typing import Any, cast

import pytest

from cetp_gateway.api import (
    ModelProvider,
    ModelRequest,
    StepEnded,
    StopReason,
    TextDelta,
    ThinkingDelta,
    ToolUse,
    UserMessage,
)
from cetp_gateway.errors import ModelFailed, ModelFailure
from cetp_gateway.testing import Hold, ScriptedModel, ScriptedStep
from support.heard import heard

HELLO = ModelRequest(system="", messages=[UserMessage("hello")])
CALL = ToolUse("c1", "notes__search", {"query": "boiler"})


async def play(model: ModelProvider, request: ModelRequest = HELLO) -> list[Any]:
    return [event async for event in model.stream(request)]


async def test_a_step_is_played_in_pieces_and_ends_with_the_whole_message() -> None:
    model = ScriptedModel([ScriptedStep(thinking="hm", text="The boiler is fine.", calls=(CALL,))])

    events = await play(model)

    assert events[0] == ThinkingDelta("hm")
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "The boiler is fine."
    ended = events[-1]
    assert isinstance(ended, StepEnded)
    assert (ended.message.calls, ended.stop) == ((CALL,), StopReason.TOOL_USE)


async def test_what_was_asked_is_kept() -> None:
    model = ScriptedModel([ScriptedStep(text="a")], completions=["Boiler"])

    await play(model)
    title = await model.complete(HELLO)

    assert model.requests == [HELLO]
    assert (title.text, model.completion_requests) == ("Boiler", [HELLO])


async def test_a_step_can_be_made_from_the_request() -> None:
    model = ScriptedModel([lambda request: ScriptedStep(text=f"{len(request.messages)} message")])

    events = await play(model)

    assert events[-1].message.text == "1 message"


async def test_a_failure_comes_after_the_text_before_it() -> None:
    failure = ModelFailed(ModelFailure.OVERLOADED, "busy")
    model = ScriptedModel([ScriptedStep(text="The sen", fails=failure)])

    said = await heard(model.stream(HELLO))

    assert (said.text, said.failure) == ("The sen", failure)


async def test_a_request_beyond_the_script_says_which_step_is_missing() -> None:
    with pytest.raises(ModelFailed, match="no step 1"):
        await play(ScriptedModel([]))


async def test_a_held_step_waits_for_the_test_and_an_abandoned_one_is_noticed() -> None:
    hold = Hold()
    model = ScriptedModel([ScriptedStep(text="wait", hold=hold), ScriptedStep(text="wait", hold=Hold())])

    async with asyncio.timeout(5):
        playing = asyncio.create_task(play(model))
        await hold.reached.wait()
        assert not playing.done()
        hold.released.set()
        assert (await playing)[-1].message.text == "wait"

        async with aclosing(cast("Any", model.stream(HELLO))) as events:
            assert await anext(events) == TextDelta("wait")
            assert model.open_streams == 1
        await model.idle()
