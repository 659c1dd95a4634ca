"""The one way to run a call, for every entrance: find, check the arguments, hooks before, run, hooks after.

Whatever goes wrong becomes an Outcome; only the cancellation of the caller passes through. Above: the loop and
the server's tool routes. Below: api.
"""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from typing import Any

import msgspec

from cetp_gateway.agent.deadlines import DeadlinePassed, is_being_cancelled, until
from cetp_gateway.agent.hook_runner import HookRunner
from cetp_gateway.api import (
    Arguments,
    CallContext,
    Cancelled,
    Denied,
    Hook,
    InvalidArguments,
    Outcome,
    Refused,
    RegisteredTool,
    TimedOut,
    ToolCall,
    ToolView,
    UnknownTool,
)
from cetp_spec import ErrorCode

_log = logging.getLogger(__name__)


def run_call(
    name: str, arguments: Any, *, tools: ToolView, hooks: Sequence[Hook], context: CallContext
) -> Coroutine[Any, Any, Outcome]:
    """Run one call and say what became of it.

    Hooks see every call of a known tool whose arguments fit, whatever becomes of it, its cancellation included.

    Args:
        name: public name, as the caller wrote it.
        arguments: decoded JSON, not yet checked.
        tools: what the caller may use.
        hooks: in the configured order.
        context: the call's id and deadline, and who asks.

    Raises:
        asyncio.CancelledError: the caller's own task was cancelled; the tool was cancelled with it.
    """
    tool = tools.find(name)
    if tool is None:
        return _at_once(UnknownTool(name, tools.nearest(name)))
    try:
        checked = tool.read_arguments(arguments)
    except Exception as error:  # noqa: BLE001  (one tool's schema must cost this call only)
        return _at_once(_failed(error, context))
    if isinstance(checked, InvalidArguments):
        return _at_once(checked)
    if not hooks:
        return _execute(tool, checked, context)
    return _hooked(tool, checked, hooks, context)


async def _at_once(outcome: Outcome) -> Outcome:
    return outcome


async def _hooked(tool: RegisteredTool, arguments: Arguments, hooks: Sequence[Hook], context: CallContext) -> Outcome:
    call = ToolCall(tool.spec, arguments)
    runner = HookRunner(hooks, tool, context)
    try:
        answer = await runner.ask(call)
        if isinstance(answer, Denied):
            outcome: Outcome = answer
        else:
            call = answer
            outcome = await _execute(tool, call.arguments, runner.context)
    except asyncio.CancelledError:
        await runner.tell(call, Cancelled())
        if is_being_cancelled():
            raise
        return Cancelled()
    await runner.tell(call, outcome)
    return outcome


async def _execute(tool: RegisteredTool, arguments: Arguments, context: CallContext) -> Outcome:
    try:
        # A device's link keeps the deadline with one timer for all its calls; a second one would cost a tenth of
        # the call. Tools of our own and of third parties only promise to keep it.
        if tool.spec.origin is not None:
            return await tool.execute(arguments, context)
        return await _bounded(tool, arguments, context)
    except asyncio.CancelledError:
        if is_being_cancelled():
            raise
        # The tool was stopped by somebody else. Passed on, it would look like an abort of the whole turn.
        return Cancelled()
    except Exception as error:  # noqa: BLE001  (a tool's fault is an outcome)
        return _failed(error, context)


async def _bounded(tool: RegisteredTool, arguments: Arguments, context: CallContext) -> Outcome:
    started = asyncio.get_running_loop().time()
    # Of an api.PatientTool.
    patience_s: float = getattr(tool, "patience_s", 0.0) if context.patient else 0.0
    if patience_s:
        context = msgspec.structs.replace(context, deadline=context.deadline + patience_s)
    try:
        return await until(context.deadline, tool.execute(arguments, context))
    except DeadlinePassed:
        return TimedOut(round(context.deadline - started, 3))


def _failed(error: Exception, context: CallContext) -> Refused:
    _log.error("the tool of call %s failed", context.call_id, exc_info=error)
    return Refused(ErrorCode.INTERNAL_ERROR, "The tool failed; the gateway's log says where.")
