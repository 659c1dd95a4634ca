"""The Hook extension point: sees every tool call, from whichever entrance it came."""

from collections.abc import Coroutine
from typing import Any, Protocol

import msgspec

from cetp_gateway.api.outcome import Denied, Outcome
from cetp_gateway.api.tool import Arguments, CallContext, ToolSpec


class ToolCall(msgspec.Struct, frozen=True):
    """A call about to run: the tool and arguments that fit its schema."""

    tool: ToolSpec
    arguments: Arguments


class Hook(Protocol):
    """Runs before and after calls, in the configured order. A method that never waits may be a plain function."""

    @property
    def name(self) -> str: ...

    def before_call(
        self, call: ToolCall, context: CallContext
    ) -> ToolCall | Denied | Coroutine[Any, Any, ToolCall | Denied]:
        """Let the call pass, change its arguments, or forbid it. An exception means no."""
        ...

    def after_call(self, call: ToolCall, outcome: Outcome, context: CallContext) -> Coroutine[Any, Any, None] | None:
        """Observe. An exception is logged and changes nothing."""
        ...


class Guard(Hook, Protocol):
    """The hook that stands first and decides last: whatever the hooks between them make of a call, it judges that."""

    def needs_permit(self, call: ToolCall, context: CallContext) -> bool:
        """Whether `permit` must be asked once all hooks have let the call pass."""
        ...

    async def permit(self, call: ToolCall, context: CallContext) -> CallContext | Denied:
        """Decide about the call exactly as it would run. May outlast the deadline while a person thinks, within a
        bound of its own; the context given back then has a later one.
        """
        ...
