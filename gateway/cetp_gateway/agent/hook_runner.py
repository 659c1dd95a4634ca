"""Runs the hooks around one call. A hook's fault never reaches the caller: before a call it means no, after it
it is logged. Above: `calls`. Below: api.
"""

import asyncio
import logging
from collections.abc import Sequence
from types import CoroutineType
from typing import Any, Final

from cetp_gateway.agent.deadlines import DeadlinePassed, is_being_cancelled, until
from cetp_gateway.agent.hook_pipeline import HookPipeline
from cetp_gateway.api import CallContext, Denied, Guard, Hook, InvalidArguments, Outcome, RegisteredTool, ToolCall

_log = logging.getLogger(__name__)

AFTER_CALL_S: Final = 5.0
"""Longest time that one hook may take to observe an outcome; the answer waits for it."""


class HookRunner:
    """The hooks of one call, in the configured order, before it as well as after it."""

    __slots__ = ("_guard", "_hooks", "_tool", "context")

    context: CallContext
    """The call's; after `ask`, as the guard has left it."""

    def __init__(self, hooks: Sequence[Hook], tool: RegisteredTool, context: CallContext) -> None:
        self._guard: Guard | None = None
        self._hooks = hooks
        if isinstance(hooks, HookPipeline):
            self._guard, self._hooks = hooks.guard, hooks.others
        self._tool = tool
        self.context = context

    async def ask(self, call: ToolCall) -> ToolCall | Denied:
        """The call as the hooks want it, or the first refusal. All of it ends by the call's deadline, but for the
        guard's permit, which ends by the bound that it sets itself.
        """
        guard = self._guard
        if guard is not None:
            # Without a deadline: it never waits long here, and a timer would cost more than all that it does.
            try:
                answer: Any = guard.before_call(call, self.context)
                if isinstance(answer, CoroutineType):
                    answer = await answer
            except Exception as error:  # noqa: BLE001  (an exception means no)
                return self._no(guard, "failed", error)
            if isinstance(answer, Denied):
                return answer
        for hook in self._hooks:
            try:
                answer = hook.before_call(call, self.context)
            except Exception as error:  # noqa: BLE001  (an exception means no)
                return self._no(hook, "failed", error)
            if answer is call:
                continue
            answer = await self._settled(hook, call, answer)
            if isinstance(answer, Denied):
                return answer
            call = answer
        if guard is not None and guard.needs_permit(call, self.context):
            return await self._ask_guard_last(guard, call)
        return call

    async def tell(self, call: ToolCall, outcome: Outcome) -> None:
        """Let every hook observe, also those that were not asked because an earlier one said no."""
        if self._guard is not None:
            # Its own bound holds; a timer for each call would cost more than all that it does.
            try:
                writing = self._guard.after_call(call, outcome, self.context)
                if writing is not None:
                    await writing
            except Exception as error:  # noqa: BLE001  (the call has been made)
                _log.error("the guard failed after call %s", self.context.call_id, exc_info=error)
        for hook in self._hooks:
            try:
                observing = hook.after_call(call, outcome, self.context)
                if observing is not None:
                    await until(asyncio.get_running_loop().time() + AFTER_CALL_S, observing)
            except DeadlinePassed:
                _log.error("hook %s took over %g s after call %s", hook.name, AFTER_CALL_S, self.context.call_id)
            except (Exception, asyncio.CancelledError) as error:
                if is_being_cancelled() and isinstance(error, asyncio.CancelledError):
                    raise
                _log.error("hook %s failed after call %s", hook.name, self.context.call_id, exc_info=error)

    async def _ask_guard_last(self, guard: Guard, call: ToolCall) -> ToolCall | Denied:
        try:
            answer = await guard.permit(call, self.context)
        except Exception as error:  # noqa: BLE001  (an exception means no)
            return self._no(guard, "failed", error)
        if isinstance(answer, Denied):
            return answer
        self.context = answer
        return call

    async def _settled(self, hook: Hook, call: ToolCall, answer: Any) -> ToolCall | Denied:
        try:
            if isinstance(answer, CoroutineType):
                answer = await until(self.context.deadline, answer)
        except DeadlinePassed:
            return self._no(hook, "did not decide in time")
        except Exception as error:  # noqa: BLE001  (an exception means no)
            return self._no(hook, "failed", error)
        if answer is call or isinstance(answer, Denied):
            return answer
        return self._changed(hook, call, answer)

    def _changed(self, hook: Hook, call: ToolCall, answer: object) -> ToolCall | Denied:
        """Check what a hook made of the call: other arguments must fit, another tool is not taken."""
        if not isinstance(answer, ToolCall):
            return self._no(hook, f"answered with {type(answer).__name__} in place of a call")
        checked = self._tool.read_arguments(answer.arguments)
        if isinstance(checked, InvalidArguments):
            return self._no(hook, "changed the arguments to ones that do not fit the tool")
        return ToolCall(call.tool, checked)

    def _no(self, hook: Hook, what: str, error: Exception | None = None) -> Denied:
        _log.error("hook %s %s before call %s; it is denied", hook.name, what, self.context.call_id, exc_info=error)
        return Denied(f"The hook {what}; the gateway's log says more.", hook.name)
