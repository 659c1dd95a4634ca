"""The room of schedules as a whole, from its settings and the database. Above: assemble. Below: everything here."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from cetp_gateway.api import RunStatus, Schedule, ScheduleRun
from cetp_gateway.devices import Devices, frames_out
from cetp_gateway.errors import ScheduleRefused, SettingsError
from cetp_gateway.schedules.book import ScheduleBook
from cetp_gateway.schedules.clock import Clock
from cetp_gateway.schedules.outgoing import Outgoing
from cetp_gateway.schedules.presence import Presence
from cetp_gateway.schedules.run_keeper import RunKeeper, Tell
from cetp_gateway.schedules.run_store import RunStore
from cetp_gateway.schedules.runner import Runner
from cetp_gateway.schedules.store import ScheduleStore
from cetp_gateway.schedules.turns import AskTurn
from cetp_gateway.schedules.zones import zone_named
from cetp_gateway.settings.schedules import ScheduleSettings
from cetp_gateway.storage import Database


@asynccontextmanager
async def open_schedules(
    settings: ScheduleSettings,
    database: Database,
    presence: Presence,
    devices: Devices,
    clock: Clock,
    *,
    ask: AskTurn,
) -> AsyncIterator[ScheduleBook]:
    """Run what is due for the length of a block; a turn that runs at its end is recorded as interrupted.

    Raises:
        SettingsError: `schedules.webhook_secret` or `schedules.time_zone` cannot be used.
    """
    if settings.time_zone:
        _check_zone(settings.time_zone)
    store = ScheduleStore(database, most=settings.max_schedules)
    runs = RunStore(database, kept=settings.max_runs_kept)
    outgoing = Outgoing(settings, clock)
    keeper = RunKeeper(
        settings,
        clock,
        store=store,
        runs=runs,
        presence=presence,
        outgoing=outgoing,
        ask=ask,
        tell=_teller(devices),
    )
    runner = Runner(settings, clock, store=store, runs=runs, keeper=keeper)
    await runner.open()
    try:
        yield ScheduleBook(settings, clock, store=store, runs=runs, presence=presence, outgoing=outgoing, runner=runner)
    finally:
        await runner.close()


def _teller(devices: Devices) -> Tell:
    """Tells the sockets of the session, and those of the client that made the schedule, by the one frame that ClawSeed
    has for it: the frames of a turn would end another turn for a client that waits in line behind this one.
    """

    def tell(schedule: Schedule, run: ScheduleRun) -> None:
        frame = frames_out.cron_result(
            schedule.id,
            run.output or run.error,
            (run.ended_at or run.queued_at).isoformat(),
            success=run.status is RunStatus.DONE,
            name=schedule.name,
            session_id=schedule.session_id,
        )
        told = set(devices.of_session(schedule.session_id))
        if schedule.created_by:
            told |= {link for link in devices if link.owner == schedule.created_by}
        for link in told:
            link.post(frame)

    return tell


def _check_zone(name: str) -> None:
    try:
        zone_named(name)
    except ScheduleRefused as error:
        raise SettingsError(f"schedules.{error.message}") from None
