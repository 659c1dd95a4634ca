"""Calls: the pipeline of one, and all calls of a step at once."""

import asyncio
from typing import Any

import pytest

from cetp_gateway.agent import run_call
from cetp_gateway.api import (
    Answered,
    ArgumentProblem,
    Arguments,
    CallContext,
    CallsFinished,
    DeviceGone,
    InvalidArguments,
    Outcome,
    Refused,
    TimedOut,
    ToolResults,
    ToolUse,
    UnknownTool,
)
from cetp_gateway.testing import ScriptedModel, ScriptedStep
from support.agent_fakes import BOUND_S, PHONE, Gate, LocalTool, LocalTools, answers, context_until, turn


async def call(name: str, arguments: Any, *tools: LocalTool, seconds: float = BOUND_S) -> Outcome:
    async with asyncio.timeout(BOUND_S):
        return await run_call(name, arguments, tools=LocalTools(*tools), hooks=(), context=context_until(seconds))


async def test_a_call_that_fits_is_answered() -> None:
    tool = LocalTool("search", required=["say"])

    assert await call("search", {"say": "hello"}, tool) == Answered("hello")
    assert tool.contexts[0].call_id == "call-1"


async def test_arguments_that_do_not_fit_never_reach_the_tool() -> None:
    tool = LocalTool("search", required=["say"])

    assert await call("search", {}, tool) == InvalidArguments((ArgumentProblem("/say", "is required"),))
    assert tool.ran_with == []


async def test_an_unknown_tool_is_told_with_names_that_look_like_it() -> None:
    outcome = await call("serch", {}, LocalTool("search"), LocalTool("weather"))

    assert outcome == UnknownTool("serch", ("search",))


async def test_a_tool_that_raises_has_failed_without_telling_its_inside() -> None:
    async def raises(arguments: Arguments, context: CallContext) -> Outcome:
        raise RuntimeError("/home/owner/secret")

    outcome = await call("search", {}, LocalTool("search", raises))

    assert isinstance(outcome, Refused)
    assert outcome.code == "INTERNAL_ERROR"
    assert "secret" not in outcome.message


async def test_a_schema_that_cannot_be_checked_costs_its_own_call_only() -> None:
    class Unreadable(LocalTool):
        def read_arguments(self, arguments: Any) -> Arguments | InvalidArguments:
            raise RecursionError

    outcome = await call("loop", {}, Unreadable("loop"))

    assert isinstance(outcome, Refused)
    assert outcome.code == "INTERNAL_ERROR"


async def test_a_built_in_tool_that_overruns_its_deadline_is_stopped() -> None:
    gate = Gate()

    outcome = await call("gate", {}, LocalTool("gate", gate), seconds=0.01)

    assert outcome == TimedOut(0.01)
    assert gate.cancelled.is_set()


async def test_the_deadline_of_a_devices_call_is_kept_by_its_link() -> None:
    gate = Gate()
    tools = LocalTools(LocalTool("gate", gate, origin=PHONE))
    running = asyncio.create_task(run_call("gate", {}, tools=tools, hooks=(), context=context_until(-1)))
    async with asyncio.timeout(BOUND_S):
        await gate.reached.wait()
        gate.released.set()
        assert await running == Answered("through the gate")


async def test_a_time_limit_of_the_tools_own_is_a_fault_of_the_tool() -> None:
    async def times_out(arguments: Arguments, context: CallContext) -> Outcome:
        async with asyncio.timeout(0.001):
            await asyncio.Event().wait()
        return Answered("never")

    outcome = await call("slow", {}, LocalTool("slow", times_out))

    assert isinstance(outcome, Refused)


async def test_cancelling_the_caller_cancels_the_tool() -> None:
    gate = Gate()
    tools = LocalTools(LocalTool("gate", gate))
    running = asyncio.create_task(run_call("gate", {}, tools=tools, hooks=(), context=context_until()))
    async with asyncio.timeout(BOUND_S):
        await gate.reached.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    assert gate.cancelled.is_set()


async def test_a_tool_that_waits_several_times_gets_its_results_and_faults_where_it_waits() -> None:
    async def careful(arguments: Arguments, context: CallContext) -> Outcome:
        loop = asyncio.get_running_loop()
        good, bad = loop.create_future(), loop.create_future()
        loop.call_soon(good.set_result, "good")
        loop.call_soon(bad.set_exception, KeyError("bad"))
        first = await good
        try:
            await bad
        except KeyError:
            return Answered(f"{first}, then caught")
        return Answered("missed")

    assert await call("careful", {}, LocalTool("careful", careful)) == Answered("good, then caught")


async def test_calls_of_a_step_run_at_the_same_time_and_are_answered_in_order() -> None:
    first, second = Gate(), Gate()
    calls = (ToolUse("t1", "first", {}), ToolUse("t2", "second", {}))
    model = ScriptedModel([ScriptedStep(calls=calls), ScriptedStep(text="Done.")])
    run = turn(model, LocalTool("first", first), LocalTool("second", second))

    running = run.start()
    async with asyncio.timeout(BOUND_S):
        await first.reached.wait()
        await second.reached.wait()
        assert not any(isinstance(event, CallsFinished) for event in run.events)
        second.released.set()
        await second.passed.wait()
        first.released.set()
        await running

    assert [result.call_id for result in run.results] == ["t1", "t2"]


async def test_a_tool_may_be_called_twice_in_one_step() -> None:
    calls = (ToolUse("t1", "search", {"say": "one"}), ToolUse("t2", "search", {"say": "two"}))
    tool = LocalTool("search")

    run = await turn(ScriptedModel([ScriptedStep(calls=calls), ScriptedStep(text="Done.")]), tool).finish()

    assert [(result.call_id, result.text) for result in run.results] == [("t1", "one"), ("t2", "two")]
    assert len({context.call_id for context in tool.contexts}) == 2


async def test_every_call_of_a_step_has_its_result_whatever_became_of_it() -> None:
    async def raises(arguments: Arguments, context: CallContext) -> Outcome:
        raise ValueError

    calls = (
        ToolUse("t1", "good", {"say": "one"}),
        ToolUse("t2", "raises", {}),
        ToolUse("t3", "gone", {}),
        ToolUse("t4", "made_up", {}),
        ToolUse("t5", "good", {"say": 7}),
        ToolUse("t6", "good", '{"say":', problem="not JSON: the text ends early"),
    )
    good = LocalTool("good")
    gone = LocalTool("gone", answers(DeviceGone("pixel")), origin=PHONE)
    model = ScriptedModel([ScriptedStep(calls=calls), ScriptedStep(text="Done.")])

    run = await turn(model, good, LocalTool("raises", raises), gone).finish()

    [results] = [message for message in model.requests[1].messages if isinstance(message, ToolResults)]
    assert [result.call_id for result in results.results] == ["t1", "t2", "t3", "t4", "t5", "t6"]
    assert [result.is_error for result in results.results] == [False, True, True, True, True, True]
    assert all(result.text.strip() for result in results.results)
    assert "not JSON" in results.results[5].text
    assert good.ran_with == [{"say": "one"}]
    assert run.record.text == "Done."


async def test_a_call_of_the_agent_says_who_asks_and_for_which_session() -> None:
    tool = LocalTool("search")
    await turn(
        ScriptedModel([ScriptedStep(calls=(ToolUse("t1", "search", {}),)), ScriptedStep(text="x")]), tool
    ).finish()

    context = tool.contexts[0]
    assert (context.caller, context.session_id) == ("agent", "s")
    assert context.call_id not in {"", "t1"}
