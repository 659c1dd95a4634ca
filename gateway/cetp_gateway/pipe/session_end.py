"""How far a host's session is, and how it ended (pipe 5.2). Values only."""

from enum import StrEnum

import msgspec


class SessionState(StrEnum):
    """Of a host's session with one agent."""

    STARTING = "starting"
    HANDSHAKING = "handshaking"
    RUNNING = "running"
    ENDED = "ended"
    """The agent ended by itself as it should, or the host closed the pipe."""
    FAILED = "failed"
    """Versions or forms do not fit, or the program is not there: another try would fail the same way."""
    CRASHED = "crashed"
    """No `init_ack` in time, another exit status than 0, a signal, or it had to be killed."""


class SessionEnd(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to say of a session that is over."""

    state: SessionState
    """ENDED, FAILED or CRASHED."""
    code: str = ""
    """A `PipeCode` when one fits."""
    message: str = ""
    """For people."""
    agent_id: str = ""
    """Empty when there was no `init_ack`."""
    exit_status: int | None = None
    """Of the child; negative for the signal that ended it; None when none was started."""
    commands: int = 0
    """Carried out."""
