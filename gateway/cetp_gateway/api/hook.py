"""The Hook extension point: sees every tool call, from whichever entrance it came."""

from typing import Protocol

import msgspec

from cetp_gateway.api.outcome import Denied, Outcome
from cetp_gateway.api.tool import Arguments, CallContext, ToolSpec


class ToolCall(msgspec.Struct, frozen=True):
    """A call about to run: the tool and arguments that fit its schema."""

    tool: ToolSpec
    arguments: Arguments


class Hook(Protocol):
    """Runs before and after calls, in the configured order."""

    @property
    def name(self) -> str: ...

    async def before_call(self, call: ToolCall, context: CallContext) -> ToolCall | Denied:
        """Let the call pass, change its arguments, or forbid it. An exception means no."""
        ...

    async def after_call(self, call: ToolCall, outcome: Outcome, context: CallContext) -> None:
        """Observe. An exception is logged and changes nothing."""
        ...
