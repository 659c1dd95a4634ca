"""The hook `log`: one line for each call. Never the arguments or the result, which are the user's data.

Calls that were answered are logged at DEBUG, all others at INFO: a line costs more than the rest of a call.
"""

import asyncio
import logging

from cetp_gateway.api import Answered, CallContext, Denied, Outcome, ToolCall
from cetp_gateway.settings.schema import Settings

_log = logging.getLogger(__name__)


class LogHook:
    """Logs the tool, who asked, what kind of outcome it was, the time it took and the call's id."""

    name = "log"

    def before_call(self, call: ToolCall, context: CallContext) -> ToolCall | Denied:  # noqa: ARG002
        return call

    def after_call(self, call: ToolCall, outcome: Outcome, context: CallContext) -> None:
        level = logging.DEBUG if isinstance(outcome, Answered) else logging.INFO
        if not _log.isEnabledFor(level):
            return
        elapsed = asyncio.get_running_loop().time() - context.began
        _log.log(
            level,
            "call %s of %s by %s: %s%s",
            context.call_id,
            call.tool.name,
            context.caller,
            outcome_kind(outcome),
            f", {elapsed * 1000:.1f} ms" if context.began else "",
        )


def outcome_kind(outcome: Outcome) -> str:
    """The outcome's tag, for instance `answered` or `timed_out`."""
    return str(outcome.__struct_config__.tag)


class LogHookFactory:
    """Makes the hook `log`, which has no settings of its own."""

    name = "log"

    def create(self, settings: Settings) -> LogHook:  # noqa: ARG002
        return LogHook()
