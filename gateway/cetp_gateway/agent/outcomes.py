"""An outcome in words: for the model, which may be misled by what a device says, and for people. Plain functions."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, assert_never

from cetp_gateway.agent.images import leave_out_images
from cetp_gateway.agent.truncation import truncate_result
from cetp_gateway.agent.untrusted import wrap_untrusted
from cetp_gateway.api import (
    Answered,
    ArgumentProblem,
    Cancelled,
    Denied,
    DeviceGone,
    InvalidArguments,
    Origin,
    Outcome,
    Refused,
    TimedOut,
    UnknownTool,
)
from cetp_spec import ErrorCode

RESULT_CHARS: Final = 24_000
"""Default of `limits.result_chars`."""

Keep = Callable[[str, str, Origin | None], str]
"""Given the whole of a text that is about to be cut, the tool it comes from and its origin: what the marker says of how
to reach it."""

_SHOWN_PROBLEMS: Final = 10
_SHOWN_NAME_CHARS: Final = 100

ADVICE_FOR_CODE: Final[Mapping[str, str]] = {
    ErrorCode.AUTH_REQUIRED: "The user has to authorise this in the app first; say so, then try again.",
    ErrorCode.PERMISSION_DENIED: "The user has to allow access in the app; say so.",
    ErrorCode.TOOL_NOT_FOUND: "The app does not offer this tool any more; use another.",
    ErrorCode.INVALID_ARGS: "Correct the arguments and call again.",
    ErrorCode.RATE_LIMITED: "Wait before calling again.",
    ErrorCode.INTERNAL_ERROR: "The app failed; another try may help.",
}
"""What the model is told to do about CETP's codes (spec 6), in our own words and outside the untrusted part."""


def _nothing_kept(text: str, tool: str, origin: Origin | None) -> str:  # noqa: ARG001
    return ""


def outcome_text(
    outcome: Outcome,
    origin: Origin | None,
    *,
    max_chars: int = RESULT_CHARS,
    tool: str = "",
    keep: Keep = _nothing_kept,
) -> tuple[str, bool]:
    """What the model is given for a call, and whether that is an error.

    Args:
        outcome: what became of the call.
        origin: where the tool's answers come from, unless the outcome says it; None for a tool of our own, whose text
            is passed as it is.
        max_chars: characters shown of the tool's text; the middle of a longer one is left out.
        tool: public name of the tool.
        keep: is given the answers that are too long to be shown whole.
    """
    if isinstance(outcome, Answered | Refused):
        origin = outcome.origin or origin
    if isinstance(outcome, Answered):
        text = leave_out_images(_well_formed(outcome.output))
        if len(text) > max_chars:
            text = truncate_result(text, max_chars, keep(text, tool, origin))
        return (wrap_untrusted(text, origin) if origin else text), False
    if isinstance(outcome, Refused) and origin:
        said = truncate_result(leave_out_images(_well_formed(_refusal(outcome))), max_chars)
        advice = ADVICE_FOR_CODE.get(outcome.code, "")
        return f"Error: the tool refused. {advice}".rstrip() + f"\n{wrap_untrusted(said, origin)}", True
    return truncate_result(_well_formed(outcome_output(outcome)), max_chars), True


def outcome_output(outcome: Outcome) -> str:
    """The outcome for people, in full and bare: the tool's own output, or a text that starts with `Error: `."""
    if isinstance(outcome, Answered):
        return outcome.output
    return f"Error: {_failure(outcome)}"


def _failure(
    outcome: Refused | InvalidArguments | TimedOut | DeviceGone | Cancelled | Denied | UnknownTool,
) -> str:
    match outcome:
        case TimedOut() | DeviceGone() | Cancelled():
            return _interruption(outcome)
        case Refused():
            return _refusal(outcome)
        case InvalidArguments(problems):
            return (
                f"[INVALID_ARGS] The arguments do not fit the tool: {_problems(problems)} Correct them and call again."
            )
        case Denied(reason, by):
            return f"[DENIED] {reason or 'The call is not allowed.'} (hook {by})"
        case UnknownTool(name, nearest):
            return f"[UNKNOWN_TOOL] There is no tool named {name[:_SHOWN_NAME_CHARS]!r}.{_suggestion(nearest)}"
        case _:
            assert_never(outcome)


def _interruption(outcome: TimedOut | DeviceGone | Cancelled) -> str:
    """Why nobody knows whether the call has run."""
    match outcome:
        case TimedOut(after_s):
            return f"[TIMED_OUT] No answer within {after_s:g} s. The call timed out and may still have run."
        case DeviceGone(device):
            return f"[DEVICE_GONE] The connection to {device} ended before it answered. The call may have run."
        case Cancelled():
            return "[CANCELLED] The call was stopped before it was answered. It may have run."
        case _:
            assert_never(outcome)


def _refusal(outcome: Refused) -> str:
    """`[CODE] message — hint`, the form in which bridges say it."""
    message = outcome.message or "The tool refused without saying why."
    return f"[{outcome.code}] {message} — {outcome.hint}" if outcome.hint else f"[{outcome.code}] {message}"


def _problems(problems: tuple[ArgumentProblem, ...]) -> str:
    shown = "; ".join(f"{problem.pointer or 'the whole'}: {problem.message}" for problem in problems[:_SHOWN_PROBLEMS])
    more = len(problems) - _SHOWN_PROBLEMS
    return f"{shown}; and {more} more." if more > 0 else f"{shown.rstrip('.')}."


def _suggestion(nearest: Iterable[str]) -> str:
    names = ", ".join(nearest)
    return f" Did you mean {names}?" if names else " Use only tools that are offered."


def _well_formed(text: str) -> str:
    """Without lone surrogates (file names may hold them), which no request can carry."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
