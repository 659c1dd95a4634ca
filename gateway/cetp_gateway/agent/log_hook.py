"""The hook `log`: one line for each call. Never the arguments or the result, which are the user's data.

Calls that were answered are logged at DEBUG, all others at INFO: a line costs more than the rest of a call.
"""

import logging
import time

from cetp_gateway.api import Answered, CallContext, Denied, Outcome, ToolCall
from cetp_gateway.settings.schema import Settings

_log = logging.getLogger(__name__)


class LogHook:
    """Logs the tool, who asked, what kind of outcome it was, the time it took and the call's id."""

    name = "log"

    def __init__(self) -> None:
        self._started: dict[str, float] = {}
        """By call id; a call leaves when it has ended, which every call does."""

    @property
    def open_calls(self) -> int:
        """Calls that have begun and not ended."""
        return len(self._started)

    def before_call(self, call: ToolCall, context: CallContext) -> ToolCall | Denied:
        self._started[context.call_id] = time.perf_counter()
        return call

    def after_call(self, call: ToolCall, outcome: Outcome, context: CallContext) -> None:
        started = self._started.pop(context.call_id, None)
        level = logging.DEBUG if isinstance(outcome, Answered) else logging.INFO
        if not _log.isEnabledFor(level):
            return
        elapsed = "not asked" if started is None else f"{(time.perf_counter() - started) * 1000:.1f} ms"
        _log.log(
            level,
            "call %s of %s by %s: %s, %s",
            context.call_id,
            call.tool.name,
            context.caller,
            outcome_kind(outcome),
            elapsed,
        )


def outcome_kind(outcome: Outcome) -> str:
    """The outcome's tag, for instance `answered` or `timed_out`."""
    return str(outcome.__struct_config__.tag)


class LogHookFactory:
    """Makes the hook `log`, which has no settings of its own."""

    name = "log"

    def create(self, settings: Settings) -> LogHook:  # noqa: ARG002
        return LogHook()
