"""Every error that the gateway raises on purpose, each with a code and a sentence for its reader.

    CetpError
    ├── SettingsError        a value of cetp.toml or the environment
    ├── StorageError         the database cannot be opened, read or written
    ├── MemoryRefused        an entry that the memory cannot keep as it is
    ├── ModelFailed          the model's side failed; `kind` says how
    ├── BudgetSpent          a request could cost more than the owner's budget has left
    ├── SessionError
    │   ├── SessionBusy      the line of a session is full, or the wait in it was too long
    │   ├── NoUserMessage    nothing to regenerate
    │   └── UnknownSession
    ├── ScheduleError
    │   ├── ScheduleRefused  a schedule that cannot be kept as it is
    │   ├── UnknownSchedule
    │   └── ScheduleBusy     a run of this schedule has not ended
    ├── PairingError
    │   ├── WrongCode
    │   ├── LockedOut        too many attempts; `retry_after_s` says how long
    │   └── PairingOff       pairing is not required here
    ├── GatewayUnreachable   the command line or the virtual phone found no gateway
    ├── GatewayRefused       the gateway turned the virtual phone away for good
    ├── PackError            a provider pack of the virtual phone cannot be used
    ├── BrowserUnusable      Chromium or what drives it is missing, or does not start
    └── PipeFailed           the browser pipe could not be opened

`code` is what travels (frames, REST); the text is for people and never carries a library's message,
a path or a secret.
"""

from enum import StrEnum


class CetpError(Exception):
    """Base of all: `code` for machines, `str()` for people."""

    code = "AGENT_ERROR"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class SettingsError(CetpError):
    """A setting is unknown, of the wrong type or out of range; the message names it.

    `key` is `section.key` or a section, where it is known; `line` is that of the settings file, counted from 1.
    """

    code = "SETTINGS_ERROR"

    def __init__(self, message: str, *, key: str = "", line: int | None = None) -> None:
        super().__init__(message)
        self.key = key
        self.line = line


class StorageError(CetpError):
    """The data folder or its database cannot be used."""

    code = "STORAGE_ERROR"


class MemoryRefused(CetpError):
    """A field of a memory entry is empty, too long or of a form that cannot be kept; the message names it."""

    code = "BAD_REQUEST"


class ModelFailure(StrEnum):
    """How a model request failed; decides whether another try is worth it."""

    AUTH = "auth"
    """The key is missing, wrong or not allowed."""
    RATE_LIMITED = "rate_limited"
    OVERLOADED = "overloaded"
    """The vendor answered 5xx or said in the stream that it is overloaded."""
    UNREACHABLE = "unreachable"
    """No connection, or it broke, or nothing came in time."""
    REFUSED_REQUEST = "refused_request"
    """The vendor understood and said no (400, 404, 422): the same request will fail again."""
    BROKEN_ANSWER = "broken_answer"
    """The answer ended early or could not be read."""
    SETUP = "setup"
    """The model cannot be used as configured: unknown provider, missing package."""


class ModelFailed(CetpError):
    """The model's side failed. `retry_after_s` is the vendor's own wish, if it gave one."""

    def __init__(self, kind: ModelFailure, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.retry_after_s = retry_after_s
        self.code = "AUTH_ERROR" if kind is ModelFailure.AUTH else "PROVIDER_ERROR"


class BudgetSpent(CetpError):
    """The owner's budget for the session, day or month does not allow another request to the model."""

    code = "BUDGET_EXCEEDED"


class SessionError(CetpError):
    """Something about one session."""


class SessionBusy(SessionError):
    """The session's line is full or the wait in it was too long (spec 13.3)."""

    code = "SESSION_BUSY"


class NoUserMessage(SessionError):
    """There is no user message to answer again."""

    code = "NO_USER_MESSAGE"


class UnknownSession(SessionError):
    """No session has this id."""

    code = "UNKNOWN_SESSION"


class ScheduleError(CetpError):
    """Something about one schedule."""


class ScheduleRefused(ScheduleError):
    """A field of a schedule cannot be followed, or there are too many; the message names the field or the limit."""

    code = "BAD_REQUEST"


class UnknownSchedule(ScheduleError):
    """No schedule has this id."""

    code = "UNKNOWN_SCHEDULE"


class ScheduleBusy(ScheduleError):
    """A run of the schedule has not ended, and two never run side by side."""

    code = "SCHEDULE_BUSY"


class PairingError(CetpError):
    """A device could not be paired."""

    code = "PAIRING_ERROR"


class WrongCode(PairingError):
    """The code is wrong, used or expired."""


class LockedOut(PairingError):
    """Too many wrong codes from one client."""

    def __init__(self, message: str, *, retry_after_s: int) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class TooOften(CetpError):
    """A client asked for the same thing too often."""

    code = "RATE_LIMITED"

    def __init__(self, message: str, *, retry_after_s: int) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class PairingOff(PairingError):
    """Pairing is switched off, so there is no code."""


class GatewayUnreachable(CetpError):
    """No gateway answered at this address; the message says what to try next."""

    code = "GATEWAY_UNREACHABLE"


class GatewayRefused(CetpError):
    """The gateway turned the virtual phone away, and trying again would not help; the message says what would.

    `status` is the HTTP status of the upgrade or the close code of the socket.
    """

    code = "GATEWAY_REFUSED"

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status


class BrowserUnusable(CetpError):
    """There is no browser for the pipe's host; the message says how to get one or why it does not start."""

    code = "BROWSER_UNUSABLE"


class PackError(CetpError):
    """A provider pack cannot be read or does not fit; the message has a line with a JSON pointer per problem."""

    code = "PACK_ERROR"


class PipeFailed(CetpError):
    """The handshake of the browser pipe failed; `code` is one of the pipe's own (`PIPE_VERSION_MISMATCH`, …)."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
