"""All calls of one step: announced, run at once, answered in their order."""

import asyncio
import secrets

from cetp_gateway.agent.calls import run_call
from cetp_gateway.agent.outcomes import Keep, outcome_text
from cetp_gateway.agent.turn_job import TurnJob
from cetp_gateway.api import (
    ArgumentProblem,
    CallContext,
    CallsAnnounced,
    CallsFinished,
    Emit,
    InvalidArguments,
    Outcome,
    ToolResult,
    ToolUse,
)


async def run_calls(calls: tuple[ToolUse, ...], job: TurnJob, emit: Emit, keep: Keep) -> tuple[ToolResult, ...]:
    """One result for each call, in the order of the calls, whatever became of them. `keep` gets the overlong ones.

    Raises:
        asyncio.CancelledError: the turn was stopped; the calls in flight were cancelled with it.
    """
    emit(CallsAnnounced(calls))
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_outcome(call, job)) for call in calls]
    outcomes = tuple(task.result() for task in tasks)
    results = tuple(_result(call, outcome, job, keep) for call, outcome in zip(calls, outcomes, strict=True))
    emit(CallsFinished(calls, outcomes, results))
    return results


async def _outcome(call: ToolUse, job: TurnJob) -> Outcome:
    if call.problem:
        return InvalidArguments((ArgumentProblem("", call.problem),))
    now = asyncio.get_running_loop().time()
    context = CallContext(
        call_id=secrets.token_hex(8),
        deadline=now + job.limits.tool_timeout_s,
        began=now,
        caller=job.caller,
        client=job.client,
        session_id=job.session_id,
        workspace=job.workspace,
    )
    return await run_call(call.name, call.arguments, tools=job.tools, hooks=job.hooks, context=context)


def _result(call: ToolUse, outcome: Outcome, job: TurnJob, keep: Keep) -> ToolResult:
    tool = job.tools.find(call.name)
    origin = tool.spec.origin if tool else None
    text, is_error = outcome_text(outcome, origin, max_chars=job.limits.result_chars, tool=call.name, keep=keep)
    return ToolResult(call.id, call.name, text, is_error)
