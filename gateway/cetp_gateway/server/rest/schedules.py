"""`/api/cron`: schedules, under the paths and field names that ClawSeed has for them, with more of both.

Its shell jobs (a `command` without a `prompt`) do not exist here: a schedule asks the agent. Above: table. Below:
schedules.
"""

from typing import Annotated

from msgspec import Meta

from cetp_gateway.api import Schedule, ScheduleChange, ScheduleWish
from cetp_gateway.server.rest.routes import Asked, Parameter, Route, matching
from cetp_gateway.server.rest.schedule_values import (
    CronChange,
    CronDone,
    CronJob,
    CronJobs,
    CronKept,
    CronRun,
    CronRuns,
    CronSettings,
    CronWish,
    job_of,
    run_of,
)

RUNS_SHOWN = 20


async def show_all(asked: Asked[None]) -> CronJobs:
    book = asked.service.runtime.schedules
    latest = await book.latest_runs()
    return CronJobs([job_of(schedule, latest.get(schedule.id)) for schedule in await book.list()])


async def show(asked: Asked[None]) -> CronJob:
    return await _shown(asked, await asked.service.runtime.schedules.get(asked.parameters["id"]))


async def add(asked: Asked[CronWish]) -> CronKept:
    wish = asked.body
    schedule = await asked.service.runtime.schedules.add(
        ScheduleWish(
            when=wish.schedule,
            prompt=wish.prompt,
            name=wish.name,
            time_zone=wish.time_zone,
            session_id=wish.session_id,
            persona=wish.persona,
            devices=wish.devices,
            wait_for_device_s=wish.wait_for_device_s,
            max_age_s=wish.max_age_s,
            webhook=wish.webhook,
            enabled=wish.enabled,
        ),
        client=asked.caller.client,
        by_person=True,
    )
    return CronKept("ok", job_of(schedule, None))


async def change(asked: Asked[CronChange]) -> CronKept:
    wanted = asked.body
    changed = ScheduleChange(
        when=wanted.schedule or None,
        prompt=wanted.prompt if wanted.command is None else wanted.command,
        name=wanted.name,
        time_zone=wanted.time_zone or None,
        persona=wanted.persona,
        devices=wanted.devices,
        wait_for_device_s=wanted.wait_for_device_s,
        max_age_s=wanted.max_age_s,
        webhook=wanted.webhook,
        enabled=wanted.enabled,
    )
    schedule = await asked.service.runtime.schedules.change(asked.parameters["id"], changed, by_person=True)
    return CronKept("ok", await _shown(asked, schedule))


async def remove(asked: Asked[None]) -> CronDone:
    await asked.service.runtime.schedules.remove(asked.parameters["id"])
    return CronDone("ok")


async def run(asked: Asked[None]) -> CronRun:
    return run_of(await asked.service.runtime.schedules.run_now(asked.parameters["id"]))


async def runs(asked: Asked[None]) -> CronRuns:
    limit = asked.parameters.get("limit", RUNS_SHOWN)
    found = await asked.service.runtime.schedules.runs(asked.parameters["id"], limit=limit)
    return CronRuns([run_of(one) for one in found])


async def show_settings(asked: Asked[None]) -> CronSettings:
    settings = asked.service.runtime.settings.schedules
    return CronSettings(enabled=settings.enabled, catch_up_on_startup=True, max_run_history=settings.max_runs_kept)


async def _shown(asked: Asked[None] | Asked[CronChange], schedule: Schedule) -> CronJob:
    latest = await asked.service.runtime.schedules.runs(schedule.id, limit=1)
    return job_of(schedule, latest[0] if latest else None)


_ID = Parameter(name="id", where="path", type=Annotated[str, matching("[A-Za-z0-9_-]{1,64}")])
_LIMIT = Parameter(
    name="limit",
    where="query",
    type=Annotated[int, Meta(ge=1, le=100)],
    description=f"Runs at most; {RUNS_SHOWN} when left out",
)

ROUTES = (
    Route(
        method="GET",
        path="/api/cron",
        summary="All schedules",
        handler=show_all,
        responses={200: CronJobs},
        refusals=(503,),
    ),
    Route(
        method="POST",
        path="/api/cron",
        summary="Make a schedule",
        handler=add,
        request=CronWish,
        responses={200: CronKept},
        refusals=(503,),
    ),
    Route(
        method="GET",
        path="/api/cron/settings",
        summary="What the settings say about schedules",
        handler=show_settings,
        responses={200: CronSettings},
    ),
    Route(
        method="GET",
        path="/api/cron/{id}",
        summary="One schedule",
        handler=show,
        parameters=(_ID,),
        responses={200: CronJob},
        refusals=(404, 503),
    ),
    Route(
        method="PATCH",
        path="/api/cron/{id}",
        summary="Change, pause or resume a schedule",
        handler=change,
        parameters=(_ID,),
        request=CronChange,
        responses={200: CronKept},
        refusals=(404, 503),
    ),
    Route(
        method="DELETE",
        path="/api/cron/{id}",
        summary="Remove a schedule and the record of its runs",
        handler=remove,
        parameters=(_ID,),
        responses={200: CronDone},
        refusals=(404, 503),
    ),
    Route(
        method="POST",
        path="/api/cron/{id}/run",
        summary="Run a schedule now; its answer comes later",
        handler=run,
        parameters=(_ID,),
        responses={200: CronRun},
        refusals=(404, 409, 503),
    ),
    Route(
        method="GET",
        path="/api/cron/{id}/runs",
        summary="The latest runs of a schedule",
        handler=runs,
        parameters=(_ID, _LIMIT),
        responses={200: CronRuns},
        refusals=(404, 503),
    ),
)
