"""A hook that notes what it sees and does what a test wants."""

from collections.abc import Awaitable, Callable
from typing import Any

from cetp_gateway.agent import outcome_kind
from cetp_gateway.api import CallContext, Denied, Outcome, ToolCall


class RecordingHook:
    """Implements Hook. `change` makes another call of each, `before` and `after` are awaited when given.

    What `before` returns is the answer, unless it is None.
    """

    def __init__(
        self,
        name: str = "recording",
        *,
        change: Callable[[ToolCall], ToolCall] = lambda call: call,
        before: Callable[[], Awaitable[Any]] | None = None,
        after: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.name = name
        self._change = change
        self._before = before
        self._after = after
        self.asked: list[ToolCall] = []
        self.told: list[tuple[str, ToolCall]] = []

    async def before_call(self, call: ToolCall, context: CallContext) -> ToolCall | Denied:
        self.asked.append(call)
        answer = await self._before() if self._before else None
        return self._change(call) if answer is None else answer

    async def after_call(self, call: ToolCall, outcome: Outcome, context: CallContext) -> None:
        self.told.append((outcome_kind(outcome), call))
        if self._after:
            await self._after()
