"""Starts what is due: one task that sleeps until the next time or a change.

What was missed while the gateway was down is made up for once, what was under way is seen and not repeated. Above:
book, room. Below: run_keeper, store, timing.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import msgspec

from cetp_gateway.api import RunStatus, Schedule, ScheduleRun
from cetp_gateway.errors import ScheduleBusy, ScheduleRefused, UnknownSchedule
from cetp_gateway.schedules.clock import Clock, sleep
from cetp_gateway.schedules.patience import patiently
from cetp_gateway.schedules.run_keeper import RunKeeper, interrupted
from cetp_gateway.schedules.run_store import RunStore
from cetp_gateway.schedules.store import ScheduleStore
from cetp_gateway.schedules.timing import latest_due, next_due
from cetp_gateway.settings.schedules import ScheduleSettings

_log = logging.getLogger(__name__)

Task = Callable[[], Awaitable[None]]


class Runner:
    """`open` it once, and `close` it: it owns its loop and the tasks of all runs."""

    def __init__(
        self,
        settings: ScheduleSettings,
        clock: Clock,
        *,
        store: ScheduleStore,
        runs: RunStore,
        keeper: RunKeeper,
    ) -> None:
        self._settings = settings
        self._store = store
        self._runs = runs
        self._keeper = keeper
        self._clock = clock
        self._changed = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    def wake(self) -> None:
        """A schedule has changed."""
        self._changed.set()

    async def open(self) -> None:
        """Begin to start what is due. Raises StorageError."""
        left = await self._runs.left_open()
        for run in left:
            if run.status is RunStatus.RUNNING:
                await self._runs.keep(interrupted(run))
        self._own(partial(self._run, left))

    async def close(self) -> None:
        """Stop everything: runs in their turn are recorded as interrupted, those that wait go on at the next start."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _run(self, left: Sequence[ScheduleRun]) -> None:
        await sleep(self._clock, self._settings.start_delay_s)
        for run in left:
            await patiently(self._clock, partial(self._take_up, run))
        while True:
            self._changed.clear()
            upcoming = await patiently(self._clock, self._start_due) if self._settings.enabled else None
            await self._clock.wait(self._changed, upcoming)

    async def run_now(self, schedule: Schedule) -> ScheduleRun:
        """Run outside the schedule's times.

        Raises:
            ScheduleBusy: a run has not ended.
            UnknownSchedule: the schedule was removed meanwhile.
        """
        now = self._clock.now()
        run = await self._runs.begin_by_hand(_queued(schedule, now, now))
        if run is None:
            if await self._store.get(schedule.id) is None:
                raise UnknownSchedule(f"There is no schedule {schedule.id}.")
            raise ScheduleBusy(f"A run of schedule {schedule.id} has not ended; two never run side by side.")
        self._start(schedule, run)
        return run

    async def _take_up(self, run: ScheduleRun) -> None:
        """What the last end of the gateway has left: a waiting run waits on, a running one was interrupted."""
        schedule = await self._store.get(run.schedule_id)
        if schedule is None:
            return
        if run.status is RunStatus.WAITING:
            self._start(schedule, run)
        elif run.status is RunStatus.RUNNING:
            self._own(partial(self._keeper.close, schedule, interrupted(run)))
        else:
            self._own(partial(self._keeper.deliver, schedule, run))

    async def _start_due(self) -> datetime | None:
        """When to look again."""
        now = self._clock.now()
        for schedule in await self._store.due(now):
            await self._begin(schedule, now)
        return await self._store.earliest()

    async def _begin(self, schedule: Schedule, now: datetime) -> None:
        try:
            due, upcoming = latest_due(schedule, now), next_due(schedule, now)
        except ScheduleRefused as error:
            _log.warning("schedule %s is paused, since its times cannot be told: %s", schedule.id, error)
            await self._store.change(schedule.id, _paused)
            return
        run = _queued(schedule, due, now)
        too_old = now - due > timedelta(seconds=schedule.max_age_s)
        if too_old:
            run = msgspec.structs.replace(run, status=RunStatus.MISSED, error=_TOO_OLD)
        stored = await self._runs.begin(run, due=schedule.next_due, next_due=upcoming)
        if stored is None:
            _log.info("schedule %s is due while its last run has not ended, or has just changed", schedule.id)
        elif too_old:
            self._own(partial(self._keeper.close, schedule, stored))
        else:
            self._start(schedule, stored)

    def _start(self, schedule: Schedule, run: ScheduleRun) -> None:
        self._own(partial(self._keeper.carry_out, schedule, run))

    def _own(self, work: Task) -> None:
        task = asyncio.create_task(_guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


_TOO_OLD: Final = "The gateway was down when this was due, and it is too old to be made up for (max_age_s)."


async def _guarded(work: Task) -> None:
    try:
        await work()
    except Exception:  # noqa: BLE001  (one broken run must not end the others)
        _log.exception("a part of the schedules has failed")


def _queued(schedule: Schedule, due: datetime, now: datetime) -> ScheduleRun:
    return ScheduleRun(id=0, schedule_id=schedule.id, due_at=due, queued_at=now, status=RunStatus.WAITING)


def _paused(schedule: Schedule) -> Schedule:
    return msgspec.structs.replace(schedule, enabled=False, next_due=None)
