"""What became of a tool call, as an HTTP answer: always `{"outcome": …}`, and the status that says the same.

| outcome | status |
| --- | --- |
| answered | 200 |
| refused | by its code: AUTH_REQUIRED 424, PERMISSION_DENIED 403, TOOL_NOT_FOUND 404, INVALID_ARGS 422, |
| | RATE_LIMITED 429, any other 502 |
| invalid_arguments | 422 |
| denied (by a hook) | 403 |
| unknown_tool | 404 |
| timed_out | 504 |
| device_gone, cancelled | 503 |

401 is never among them: it means the gateway's own token, and clients act on it.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from cetp_gateway.api import (
    Answered,
    ArgumentProblem,
    Cancelled,
    Denied,
    DeviceGone,
    InvalidArguments,
    Outcome,
    Refused,
    TimedOut,
    UnknownTool,
)
from cetp_gateway.server.requests.responses import Reply

_encode = msgspec.json.Encoder().encode

_REFUSED = {
    "AUTH_REQUIRED": 424,
    "PERMISSION_DENIED": 403,
    "TOOL_NOT_FOUND": 404,
    "INVALID_ARGS": 422,
    "RATE_LIMITED": 429,
}
_REFUSED_OTHERWISE = 502


class AnsweredReply(msgspec.Struct, frozen=True, tag_field="outcome", tag="answered"):
    """The tool said this; most often text that holds JSON."""

    output: str


class RefusedReply(msgspec.Struct, frozen=True, tag_field="outcome", tag="refused", omit_defaults=True):
    """The tool or its provider said no (spec 6)."""

    code: str
    message: str
    hint: str = ""
    """What the user can do about it."""
    authorize_intent: str = ""
    """Android action that opens the provider's own screen."""


class InvalidArgumentsReply(msgspec.Struct, frozen=True, tag_field="outcome", tag="invalid_arguments"):
    """The arguments do not fit the tool's schema; the tool was not asked."""

    message: str
    problems: tuple[ArgumentProblem, ...]


class DeniedReply(msgspec.Struct, frozen=True, tag_field="outcome", tag="denied"):
    """The gateway's rules forbid the call; the tool was not asked."""

    message: str
    by: str


class UnknownToolReply(msgspec.Struct, frozen=True, tag_field="outcome", tag="unknown_tool"):
    """No tool has this name."""

    message: str
    nearest: tuple[str, ...]


class TimedOutReply(msgspec.Struct, frozen=True, tag_field="outcome", tag="timed_out"):
    """No answer in time. The call may have run."""

    message: str
    after_s: float


class DeviceGoneReply(msgspec.Struct, frozen=True, tag_field="outcome", tag="device_gone"):
    """The device left before it answered. The call may have run."""

    message: str
    device: str


class CancelledReply(msgspec.Struct, frozen=True, tag_field="outcome", tag="cancelled"):
    """The call was stopped from the gateway's side. It may have run."""

    message: str


RESPONSES: dict[int, Any] = {
    200: AnsweredReply,
    403: (RefusedReply, DeniedReply),
    404: (RefusedReply, UnknownToolReply),
    422: (RefusedReply, InvalidArgumentsReply),
    424: RefusedReply,
    429: RefusedReply,
    502: RefusedReply,
    503: (DeviceGoneReply, CancelledReply),
    504: TimedOutReply,
}
"""What each status may carry; 403 may also come from the door, with an ordinary error."""


def reply_to(outcome: Outcome) -> Reply:
    """The answer for an outcome."""
    if type(outcome) is Answered:
        return Reply(200, b'{"outcome":"answered","output":%b}' % _encode(outcome.output))
    status, body = _OTHERS[type(outcome)](outcome)
    return Reply(status, _encode(body))


def _refused(outcome: Refused) -> tuple[int, RefusedReply]:
    status = _REFUSED.get(outcome.code, _REFUSED_OTHERWISE)
    return status, RefusedReply(outcome.code, outcome.message, outcome.hint, outcome.authorize_intent)


def _invalid(outcome: InvalidArguments) -> tuple[int, InvalidArgumentsReply]:
    return 422, InvalidArgumentsReply("The arguments do not fit the tool's schema.", outcome.problems)


def _denied(outcome: Denied) -> tuple[int, DeniedReply]:
    return 403, DeniedReply(outcome.reason, outcome.by)


def _unknown(outcome: UnknownTool) -> tuple[int, UnknownToolReply]:
    hint = f" Did you mean {' or '.join(outcome.nearest)}?" if outcome.nearest else ""
    return 404, UnknownToolReply(f"There is no tool {outcome.name}.{hint}", outcome.nearest)


def _timed_out(outcome: TimedOut) -> tuple[int, TimedOutReply]:
    return 504, TimedOutReply(f"No answer within {outcome.after_s:g} s. The call may have run.", outcome.after_s)


def _device_gone(outcome: DeviceGone) -> tuple[int, DeviceGoneReply]:
    return 503, DeviceGoneReply(f"{outcome.device} left before it answered. The call may have run.", outcome.device)


def _cancelled(_: Cancelled) -> tuple[int, CancelledReply]:
    return 503, CancelledReply("The call was stopped. It may have run.")


_OTHERS: dict[type, Callable[[Any], tuple[int, msgspec.Struct]]] = {
    Refused: _refused,
    InvalidArguments: _invalid,
    Denied: _denied,
    UnknownTool: _unknown,
    TimedOut: _timed_out,
    DeviceGone: _device_gone,
    Cancelled: _cancelled,
}
