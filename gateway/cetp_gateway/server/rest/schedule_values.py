"""What `/api/cron` takes and answers: the field names of ClawSeed's, and more. Above: schedules (the routes)."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from cetp_gateway.api import RunStatus, Schedule, ScheduleRun
from cetp_gateway.server.rest.one_session import SESSION_ID
from cetp_gateway.server.rest.routes import NOT_BLANK, matching

Name = Annotated[str, Meta(max_length=200)]
Text = Annotated[str, Meta(max_length=200)]
Devices = Annotated[tuple[Annotated[str, Meta(max_length=200)], ...], Meta(max_length=16)]
Age = Annotated[float, Meta(ge=0, le=31 * 86_400)]


class CronJob(msgspec.Struct, frozen=True, kw_only=True):
    """A schedule. Times are UTC."""

    id: str
    name: str
    schedule: str
    """The cron expression, or the one time in ISO 8601."""
    expression: str
    """The same."""
    repeats: bool
    time_zone: str
    job_type: Literal["agent"]
    prompt: str
    session_id: str
    persona: str
    devices: tuple[str, ...]
    wait_for_device_s: float
    max_age_s: float
    webhook: str
    enabled: bool
    created_by: str
    created_at: datetime
    next_run: datetime | None
    """null: paused, or a one-time schedule that has run."""
    last_run: datetime | None
    last_status: RunStatus | None


class CronRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run. Times are UTC."""

    id: int
    job_id: str
    due_at: datetime
    started_at: datetime | None
    """null: it waits, or never ran."""
    finished_at: datetime | None
    status: RunStatus
    note: str
    """What the turn was told besides its prompt: since when a device has been away, how late it is."""
    output: str
    error: str
    duration_ms: int | None
    skipped: int
    """Times at which the schedule was due again while this run had not ended."""
    delivery: str
    """Of the webhook: empty without one, pending, delivered, or why it failed."""


class CronJobs(msgspec.Struct, frozen=True):
    """All of them, those that are due next first."""

    jobs: list[CronJob]


class CronKept(msgspec.Struct, frozen=True):
    """A schedule was made or changed."""

    status: Literal["ok"]
    job: CronJob


class CronRuns(msgspec.Struct, frozen=True):
    """The latest runs, newest first."""

    runs: list[CronRun]


class CronDone(msgspec.Struct, frozen=True):
    """As asked."""

    status: Literal["ok"]


class CronSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What `[schedules]` says."""

    enabled: bool
    catch_up_on_startup: bool
    """What was missed is always made up for, once, unless it is older than `max_age_s`."""
    max_run_history: int


class CronWish(msgspec.Struct, frozen=True, kw_only=True):
    """A new schedule."""

    schedule: Text
    """A cron expression of five fields, ISO 8601, or words such as `in 20 minutes`."""
    prompt: Annotated[str, Meta(min_length=1), NOT_BLANK]
    name: Name = ""
    time_zone: Text = ""
    session_id: Annotated[str, matching(f"(?:{SESSION_ID})?")] = ""
    persona: Annotated[str, Meta(max_length=64)] = ""
    devices: Devices = ()
    wait_for_device_s: Age | None = None
    max_age_s: Age | None = None
    webhook: Annotated[str, Meta(max_length=2000)] = ""
    enabled: bool = True


class CronChange(msgspec.Struct, frozen=True, kw_only=True):
    """What shall be different; null, or left out, stays."""

    schedule: Text | None = None
    prompt: str | None = None
    command: str | None = None
    """Taken for the prompt, as ClawSeed's console sends it."""
    name: Name | None = None
    time_zone: Text | None = None
    persona: Annotated[str, Meta(max_length=64)] | None = None
    devices: Devices | None = None
    wait_for_device_s: Age | None = None
    max_age_s: Age | None = None
    webhook: Annotated[str, Meta(max_length=2000)] | None = None
    enabled: bool | None = None


def job_of(schedule: Schedule, latest: ScheduleRun | None) -> CronJob:
    return CronJob(
        id=schedule.id,
        name=schedule.name,
        schedule=schedule.when,
        expression=schedule.when,
        repeats=schedule.repeats,
        time_zone=schedule.time_zone,
        job_type="agent",
        prompt=schedule.prompt,
        session_id=schedule.session_id,
        persona=schedule.persona,
        devices=schedule.devices,
        wait_for_device_s=schedule.wait_for_device_s,
        max_age_s=schedule.max_age_s,
        webhook=schedule.webhook,
        enabled=schedule.enabled,
        created_by=schedule.created_by,
        created_at=schedule.created_at,
        next_run=schedule.next_due,
        last_run=latest.begun_at or latest.due_at if latest else None,
        last_status=latest.status if latest else None,
    )


def run_of(run: ScheduleRun) -> CronRun:
    took = run.ended_at - run.begun_at if run.ended_at and run.begun_at else None
    return CronRun(
        id=run.id,
        job_id=run.schedule_id,
        due_at=run.due_at,
        started_at=run.begun_at,
        finished_at=run.ended_at,
        status=run.status,
        note=run.note,
        output=run.output,
        error=run.error,
        duration_ms=None if took is None else round(took.total_seconds() * 1000),
        skipped=run.skipped,
        delivery=run.delivery,
    )
