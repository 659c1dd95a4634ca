"""Failures as HTTP: an exception of ours becomes a status and `{"error": sentence, "code": CODE}`.

Above: endpoint, app. Below: errors. What is not one of our exceptions is logged and answered without detail.
"""

import logging

import msgspec

from cetp_gateway.errors import (
    BudgetSpent,
    CetpError,
    LockedOut,
    MemoryRefused,
    ModelFailed,
    NoUserMessage,
    PairingOff,
    ScheduleBusy,
    ScheduleRefused,
    SessionBusy,
    SettingsError,
    StorageError,
    TooOften,
    UnknownSchedule,
    UnknownSession,
    WrongCode,
)
from cetp_gateway.server.requests.responses import Reply

_log = logging.getLogger(__name__)


class HttpError(CetpError):
    """A request that is answered with this status; `message` names the field, the limit or the next step."""

    code = "BAD_REQUEST"

    def __init__(self, status: int, message: str, *, code: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.code = code or _CODES.get(status, self.code)


class ClientGone(CetpError):
    """The client left before its request was complete; nobody is there to answer."""


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a request was not answered as asked."""

    error: str
    """A sentence for people."""
    code: str = ""
    """For programs."""
    retry_after: int | None = None
    """Seconds to wait before another try."""


_CODES = {
    401: "UNAUTHORIZED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    408: "TOO_SLOW",
    409: "CONFLICT",
    413: "TOO_LARGE",
    429: "RATE_LIMITED",
    500: "INTERNAL_ERROR",
}

_STATUSES: tuple[tuple[type[CetpError], int], ...] = (
    (LockedOut, 429),
    (TooOften, 429),
    (WrongCode, 403),
    (PairingOff, 400),
    (UnknownSession, 404),
    (SessionBusy, 409),
    (ScheduleRefused, 400),
    (UnknownSchedule, 404),
    (ScheduleBusy, 409),
    (NoUserMessage, 409),
    (SettingsError, 400),
    (MemoryRefused, 400),
    (BudgetSpent, 402),
    (ModelFailed, 502),
    (StorageError, 503),
)


def status_of(error: CetpError) -> int:
    """The HTTP status that says the same as the exception; 500 when none does."""
    if isinstance(error, HttpError):
        return error.status
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), 500)


def refusal(error: Exception) -> Reply:
    """The answer for a failed request."""
    if not isinstance(error, CetpError):
        _log.error("a request failed", exc_info=error)
        error = HttpError(500, "The gateway failed at this request; its log says where.")
    status = status_of(error)
    wait = error.retry_after_s if isinstance(error, LockedOut | TooOften) else None
    headers = [(b"www-authenticate", b"Bearer")] if status == 401 else []
    if wait is not None:
        headers.append((b"retry-after", b"%d" % wait))
    body = msgspec.json.encode(Problem(error.message, error.code, wait))
    return Reply(status, body, headers=tuple(headers))
