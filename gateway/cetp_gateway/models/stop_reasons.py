"""Why a step ended: each vendor's words in one table, and the rule that makes message and reason agree."""

from collections.abc import Mapping
from typing import Final

from cetp_gateway.api import StopReason

ANTHROPIC_STOP_REASONS: Final[Mapping[str, StopReason]] = {
    "end_turn": StopReason.END,
    "max_tokens": StopReason.LENGTH,
    "model_context_window_exceeded": StopReason.LENGTH,
    "pause_turn": StopReason.PAUSED,
    "refusal": StopReason.REFUSED,
    "stop_sequence": StopReason.END,
    "tool_use": StopReason.TOOL_USE,
}

OPENAI_FINISH_REASONS: Final = ("stop", "length", "tool_calls", "content_filter", "function_call")
"""All values of `finish_reason` in OpenAI's own reference."""

OPENAI_STOP_REASONS: Final[Mapping[str, StopReason]] = {
    "content_filter": StopReason.REFUSED,
    "function_call": StopReason.TOOL_USE,
    "length": StopReason.LENGTH,
    "stop": StopReason.END,
    "tool_calls": StopReason.TOOL_USE,
    # Words of servers that are only compatible.
    "end_turn": StopReason.END,
    "eos": StopReason.END,
    "max_tokens": StopReason.LENGTH,
    "model_length": StopReason.LENGTH,
    "refusal": StopReason.REFUSED,
    "safety": StopReason.REFUSED,
    "tool_use": StopReason.TOOL_USE,
}

OPENAI_FAILED: Final = frozenset({"abort", "error", "insufficient_system_resource", "malformed_function_call"})
"""Values of `finish_reason` that say that the answer did not succeed."""


def settled(reason: StopReason | None, *, has_calls: bool) -> StopReason:
    """The reason that goes with a message.

    Calls run only when the step ended well with them: some servers say `stop` beside calls, which then are meant.
    An unknown reason (None) ends the turn without running anything.
    """
    if reason in (StopReason.END, StopReason.TOOL_USE):
        return StopReason.TOOL_USE if has_calls else StopReason.END
    return reason or StopReason.END
