"""A turn is aborted by cancelling it, at any moment: the history stays valid, model and tools are let go at once."""

import asyncio

from cetp_gateway.api import Answered, CallsFinished, Denied, Outcome, ToolUse
from cetp_gateway.testing import Hold, ScriptedModel, ScriptedStep
from support.agent_fakes import BOUND_S, Gate, LocalTool, abort, turn
from support.recording_hook import RecordingHook

SEARCH = ToolUse("c1", "search", {"say": "three notes"})


async def reached(event: asyncio.Event) -> None:
    async with asyncio.timeout(BOUND_S):
        await event.wait()


async def test_before_the_first_text_nothing_stays() -> None:
    hold = Hold()
    model = ScriptedModel([ScriptedStep(hold=hold)])
    run = turn(model)
    running = run.start()
    await reached(hold.reached)

    await abort(running)

    assert (run.record.steps, run.record.partial, run.events) == ([], "", [])
    assert model.open_streams == 0
    assert len(model.requests) == 1


async def test_while_text_streams_the_text_so_far_stays_and_the_model_is_let_go() -> None:
    hold = Hold()
    model = ScriptedModel([ScriptedStep(text="half a", hold=hold)])
    run = turn(model)
    running = run.start()
    await reached(hold.reached)

    await abort(running)

    assert (run.record.steps, run.record.partial, run.record.text) == ([], "half a", "half a")
    assert model.open_streams == 0


async def test_during_calls_they_are_cancelled_and_their_step_leaves_only_its_text() -> None:
    first, second = Gate(), Gate()
    model = ScriptedModel(
        [
            ScriptedStep(text="One. ", calls=(SEARCH,)),
            ScriptedStep(text="Wait. ", calls=(ToolUse("c2", "first", {}), ToolUse("c3", "second", {}))),
        ]
    )
    run = turn(model, LocalTool("search"), LocalTool("first", first), LocalTool("second", second))
    running = run.start()
    await reached(first.reached)
    await reached(second.reached)

    await abort(running)

    assert first.cancelled.is_set()
    assert second.cancelled.is_set()
    assert [step.message.calls for step in run.record.steps] == [(SEARCH,)]
    assert (run.record.partial, run.record.text) == ("Wait. ", "One. Wait. ")
    assert sum(isinstance(event, CallsFinished) for event in run.events) == 1
    assert len(model.requests) == 2


async def test_hooks_are_told_that_a_call_was_cancelled() -> None:
    gate, hook = Gate(), RecordingHook()
    model = ScriptedModel([ScriptedStep(calls=(ToolUse("c1", "gate", {}),))])
    running = turn(model, LocalTool("gate", gate), hooks=[hook]).start()
    await reached(gate.reached)

    await abort(running)

    assert [kind for kind, _ in hook.told] == ["cancelled"]


async def test_while_a_hook_decides_the_tool_never_runs() -> None:
    asking = asyncio.Event()

    async def wait_for_ever() -> Outcome:
        asking.set()
        await asyncio.Event().wait()
        return Denied("never reached", "slow")

    tool = LocalTool("search")
    hook = RecordingHook(before=wait_for_ever)
    running = turn(ScriptedModel([ScriptedStep(calls=(SEARCH,))]), tool, hooks=[hook]).start()
    await reached(asking)

    await abort(running)

    assert tool.ran_with == []


async def test_a_tool_that_lets_a_cancellation_slip_does_not_abort_the_turn() -> None:
    async def slips(arguments: object, context: object) -> Outcome:
        lost: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        lost.cancel()
        return await lost

    calls = (ToolUse("c1", "slips", {}), SEARCH)
    model = ScriptedModel([ScriptedStep(calls=calls), ScriptedStep(text="Done.")])

    run = await turn(model, LocalTool("slips", slips), LocalTool("search")).finish()

    assert run.record.text == "Done."
    assert run.results[0].is_error
    assert run.outcomes[1] == Answered("three notes")
