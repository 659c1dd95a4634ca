"""One run from its queue to its end: wait for the devices, take the turn, tell those who want to know.

A run's row says before each stage what is about to happen, so that after a crash one sees how far it had got. Above:
runner. Below: store, run_store, presence, turns, outgoing.
"""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Final

import msgspec

from cetp_gateway.api import RunStatus, Schedule, ScheduleRun
from cetp_gateway.schedules.clock import Clock
from cetp_gateway.schedules.outgoing import Outgoing
from cetp_gateway.schedules.patience import patiently
from cetp_gateway.schedules.preface import note_of, prompt_of
from cetp_gateway.schedules.presence import Absent, Presence
from cetp_gateway.schedules.run_store import RunStore
from cetp_gateway.schedules.store import ScheduleStore
from cetp_gateway.schedules.turns import AskTurn, turn_of
from cetp_gateway.settings.schedules import ScheduleSettings

PENDING: Final = "pending"

Tell = Callable[[Schedule, ScheduleRun], None]
"""Tells open sockets that a run has ended. Must not block."""


class RunKeeper:
    """All runs go through here."""

    def __init__(
        self,
        settings: ScheduleSettings,
        clock: Clock,
        *,
        store: ScheduleStore,
        runs: RunStore,
        presence: Presence,
        outgoing: Outgoing,
        ask: AskTurn,
        tell: Tell,
    ) -> None:
        self._settings = settings
        self._store = store
        self._runs = runs
        self._presence = presence
        self._outgoing = outgoing
        self._clock = clock
        self._ask = ask
        self._tell = tell
        self._places = asyncio.Semaphore(settings.runs_at_once)

    async def carry_out(self, schedule: Schedule, run: ScheduleRun) -> None:
        """Run it, and store and tell how it ended."""
        absent = await self._wait_for_devices(schedule, run)
        async with self._places:
            # It may have been changed or removed during the wait.
            current = await patiently(self._clock, partial(self._store.get, schedule.id))
            if current is None:
                return
            ended = await self._take_turn(current, run, absent)
        await self.close(current, ended)

    async def close(self, schedule: Schedule, run: ScheduleRun) -> None:
        """Store the end of a run, and tell it."""
        run = self._closed(schedule, run)
        await self._keep(run)
        self._tell(schedule, run)
        await self.deliver(schedule, run)

    async def deliver(self, schedule: Schedule, run: ScheduleRun) -> None:
        """Tell the webhook, if there is one."""
        if run.delivery == PENDING:
            became = await self._outgoing.tell(schedule, run)
            await self._keep(msgspec.structs.replace(run, delivery=became))

    async def _keep(self, run: ScheduleRun) -> None:
        """A run that is not known to have ended would keep its schedule from running ever again."""
        await patiently(self._clock, partial(self._runs.keep, run))

    def _closed(self, schedule: Schedule, run: ScheduleRun) -> ScheduleRun:
        delivery = PENDING if schedule.webhook else ""
        return msgspec.structs.replace(run, ended_at=run.ended_at or self._clock.now(), delivery=delivery)

    async def _wait_for_devices(self, schedule: Schedule, run: ScheduleRun) -> list[Absent]:
        """Those that are still away when the wait is over."""
        absent = self._presence.absent(schedule.devices)
        limit = run.queued_at + timedelta(seconds=schedule.wait_for_device_s)
        changed = asyncio.Event()
        unsubscribe = self._presence.on_change(changed.set)
        try:
            while absent and self._clock.now() < limit:
                await self._clock.wait(changed, limit)
                changed.clear()
                absent = self._presence.absent(schedule.devices)
        finally:
            unsubscribe()
        return absent

    async def _take_turn(self, schedule: Schedule, run: ScheduleRun, absent: list[Absent]) -> ScheduleRun:
        now = self._clock.now()
        note = note_of(schedule, run, absent, now)
        run = msgspec.structs.replace(run, status=RunStatus.RUNNING, begun_at=now, note=note)
        await self._keep(run)
        text = prompt_of(schedule, note)
        try:
            end = await turn_of(self._ask, schedule, text, self._clock, timeout_s=self._settings.run_timeout_s)
        except asyncio.CancelledError:
            # Its webhook is told at the next start.
            await self._runs.keep(self._closed(schedule, interrupted(run)))
            raise
        return msgspec.structs.replace(
            run, status=end.status, output=end.output, error=end.error, ended_at=self._clock.now()
        )


def interrupted(run: ScheduleRun) -> ScheduleRun:
    """A run in whose middle the gateway has ended."""
    return msgspec.structs.replace(
        run,
        status=RunStatus.INTERRUPTED,
        error="The gateway ended during this run. Tools may have run, so it is not repeated by itself.",
    )
