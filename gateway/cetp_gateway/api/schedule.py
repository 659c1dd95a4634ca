"""A prompt that runs at its time: values that the tools, REST and the room of schedules share."""

from datetime import datetime
from enum import StrEnum

import msgspec


class RunStatus(StrEnum):
    """How far a run got."""

    WAITING = "waiting"
    """For a device, or for its turn; nothing has run yet."""
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    ABORTED = "aborted"
    """Somebody stopped its turn, or it took longer than `schedules.run_timeout_s`."""
    INTERRUPTED = "interrupted"
    """The gateway ended in the middle of it. Tools may have run, so it is not repeated."""
    MISSED = "missed"
    """The gateway was down when it was due, and it is too old to be made up for."""

    @property
    def ended(self) -> bool:
        return self not in (RunStatus.WAITING, RunStatus.RUNNING)


class ScheduleWish(msgspec.Struct, frozen=True, kw_only=True):
    """What a new schedule shall be, not checked yet."""

    when: str
    """A cron expression of five fields, or one time: ISO 8601, `in 20 minutes`, `tomorrow at 9:00`, `明天上午9点`."""
    prompt: str
    """What the agent is asked each time."""
    name: str = ""
    time_zone: str = ""
    session_id: str = ""
    """Where its turns go; empty gives it a session of its own."""
    persona: str = ""
    devices: tuple[str, ...] = ()
    """Names or ids of devices that a run waits for."""
    wait_for_device_s: float | None = None
    max_age_s: float | None = None
    webhook: str = ""
    """URL that is told of every run's end."""
    enabled: bool = True


class ScheduleChange(msgspec.Struct, frozen=True, kw_only=True):
    """What shall be different of a schedule; None leaves it as it is."""

    when: str | None = None
    prompt: str | None = None
    name: str | None = None
    time_zone: str | None = None
    persona: str | None = None
    devices: tuple[str, ...] | None = None
    wait_for_device_s: float | None = None
    max_age_s: float | None = None
    webhook: str | None = None
    enabled: bool | None = None


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt and its times. Times are UTC."""

    id: str
    name: str
    when: str
    """The cron expression, or the one time in ISO 8601."""
    repeats: bool
    time_zone: str
    """IANA name; whose clock `when` is about."""
    prompt: str
    session_id: str
    persona: str
    devices: tuple[str, ...]
    wait_for_device_s: float
    max_age_s: float
    webhook: str
    enabled: bool
    created_by: str
    """Client by whose right its runs call tools; see `CallContext.client`."""
    by_person: bool
    """Whether the prompt is in a person's own words; one that a model has written is not."""
    created_at: datetime
    next_due: datetime | None
    """None: paused, or a one-time schedule that has run."""


class ScheduleRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run. Times are UTC."""

    id: int
    schedule_id: str
    due_at: datetime
    queued_at: datetime
    status: RunStatus
    begun_at: datetime | None = None
    """When its turn began."""
    ended_at: datetime | None = None
    note: str = ""
    """What its turn was told besides the prompt: since when a device has been away, how late it is."""
    output: str = ""
    """The answer."""
    error: str = ""
    skipped: int = 0
    """Times at which the schedule was due again while this run had not ended."""
    delivery: str = ""
    """Of the webhook: empty without one, `pending`, `delivered`, or why it failed."""
