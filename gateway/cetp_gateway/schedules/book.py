"""What people and tools do with schedules: add, change, remove, look at, run by hand.

Checks every field; what is wrong is refused with the field's name. Above: the server, the built-in tools. Below:
store, runner, timing.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Final

import msgspec

from cetp_gateway.api import Schedule, ScheduleChange, ScheduleRun, ScheduleWish
from cetp_gateway.errors import ScheduleRefused, UnknownSchedule
from cetp_gateway.schedules.clock import Clock
from cetp_gateway.schedules.outgoing import Outgoing
from cetp_gateway.schedules.presence import Presence
from cetp_gateway.schedules.run_store import RunStore
from cetp_gateway.schedules.runner import Runner
from cetp_gateway.schedules.store import ScheduleStore
from cetp_gateway.schedules.target import check_url
from cetp_gateway.schedules.timing import next_due, read_when
from cetp_gateway.schedules.zones import local_zone, zone_named
from cetp_gateway.settings.schedules import ScheduleSettings

NAME_CHARS: Final = 80
DEVICES: Final = 16
AGE_S: Final = 31 * 86_400.0


class ScheduleBook:
    """All schedules. Every method raises StorageError when the database cannot be used."""

    def __init__(
        self,
        settings: ScheduleSettings,
        clock: Clock,
        *,
        store: ScheduleStore,
        runs: RunStore,
        presence: Presence,
        outgoing: Outgoing,
        runner: Runner,
    ) -> None:
        self._settings = settings
        self._store = store
        self._runs = runs
        self._presence = presence
        self._outgoing = outgoing
        self._runner = runner
        self._clock = clock

    async def list(self) -> list[Schedule]:
        """Those that are due next first."""
        return await self._store.list()

    async def get(self, schedule_id: str) -> Schedule:
        """Raises UnknownSchedule."""
        return _found(await self._store.get(schedule_id), schedule_id)

    async def runs(self, schedule_id: str, *, limit: int = 20) -> Sequence[ScheduleRun]:
        """The latest runs, newest first. Raises UnknownSchedule."""
        await self.get(schedule_id)
        return await self._runs.of(schedule_id, limit=limit)

    async def latest_runs(self) -> dict[str, ScheduleRun]:
        """The newest run of each schedule that has any."""
        return await self._runs.latest()

    async def add(self, wish: ScheduleWish, *, client: str, by_person: bool) -> Schedule:
        """Keep a new schedule; raises ScheduleRefused.

        Args:
            wish: what it shall be.
            client: by whose right its runs call tools.
            by_person: the prompt is a person's own words.
        """
        schedule_id = secrets.token_hex(4)
        self._check_texts(wish)
        time_zone = wish.time_zone or self._settings.time_zone or local_zone()
        now = self._clock.now()
        when, repeats = read_when(wish.when, time_zone, now)
        schedule = Schedule(
            id=schedule_id,
            name=_name(wish.name) or _name(wish.prompt),
            when=when,
            repeats=repeats,
            time_zone=time_zone,
            prompt=wish.prompt.strip(),
            session_id=wish.session_id or f"schedule-{schedule_id}",
            persona=wish.persona,
            devices=self._devices(wish.devices),
            wait_for_device_s=_age("wait_for_device_s", wish.wait_for_device_s, self._settings.wait_for_device_s),
            max_age_s=_age("max_age_s", wish.max_age_s, self._settings.max_age_s),
            webhook=wish.webhook,
            enabled=wish.enabled,
            created_by=client,
            by_person=by_person,
            created_at=now,
            next_due=None,
        )
        schedule = _with_due(schedule, now)
        await self._store.add(schedule)
        self._runner.wake()
        return schedule

    async def change(self, schedule_id: str, change: ScheduleChange, *, by_person: bool) -> Schedule:
        """Make some fields different; raises ScheduleRefused, UnknownSchedule. `by_person` is about a new prompt."""
        self._check_texts(change)
        now = self._clock.now()

        def work(schedule: Schedule) -> Schedule:
            return self._changed(schedule, change, now, by_person=by_person)

        changed = await self._store.change(schedule_id, work)
        self._runner.wake()
        return _found(changed, schedule_id)

    async def remove(self, schedule_id: str) -> None:
        """Forget a schedule and its runs; a turn that runs just now goes on. Raises UnknownSchedule."""
        if not await self._store.delete(schedule_id):
            raise _unknown(schedule_id)
        self._runner.wake()

    async def run_now(self, schedule_id: str) -> ScheduleRun:
        """Run besides its times; raises UnknownSchedule, ScheduleBusy."""
        return await self._runner.run_now(await self.get(schedule_id))

    def _check_texts(self, wish: ScheduleWish | ScheduleChange) -> None:
        if wish.prompt is not None and not wish.prompt.strip():
            raise ScheduleRefused("prompt: it must have at least one letter.")
        if wish.prompt is not None and len(wish.prompt) > self._settings.prompt_chars:
            raise ScheduleRefused(
                f"prompt: it has more than {self._settings.prompt_chars} characters (schedules.prompt_chars)."
            )
        if wish.webhook:
            check_url(wish.webhook)
            if not self._outgoing.can_sign:
                raise ScheduleRefused("webhook: set schedules.webhook_secret first; results are sent signed.")

    def _changed(self, schedule: Schedule, change: ScheduleChange, now: datetime, *, by_person: bool) -> Schedule:
        wanted = {name: value for name, value in msgspec.structs.asdict(change).items() if value is not None}
        if "prompt" in wanted:
            wanted["by_person"] = by_person
        if "devices" in wanted:
            wanted["devices"] = self._devices(wanted["devices"])
        if "name" in wanted:
            wanted["name"] = _name(wanted["name"]) or schedule.name
        for age in ("wait_for_device_s", "max_age_s"):
            if age in wanted:
                _age(age, wanted[age], 0.0)
        time_zone = wanted.setdefault("time_zone", schedule.time_zone)
        zone_named(time_zone)
        if "when" in wanted:
            wanted["when"], wanted["repeats"] = read_when(wanted["when"], time_zone, now)
        after = msgspec.structs.replace(schedule, **wanted)
        times_changed = {"when", "enabled"} & wanted.keys() or time_zone != schedule.time_zone
        return _with_due(after, now) if times_changed else after

    def _devices(self, names: Sequence[str]) -> tuple[str, ...]:
        if len(names) > DEVICES:
            raise ScheduleRefused(f"devices: {DEVICES} at most.")
        unknown = next((name for name in names if not self._presence.knows(name)), None)
        if unknown is not None:
            known = ", ".join(self._presence.known()) or "none is paired or connected"
            raise ScheduleRefused(f"devices: there is no device called {unknown[:64]!r}. Known are: {known}.")
        return tuple(dict.fromkeys(names))


def _with_due(schedule: Schedule, now: datetime) -> Schedule:
    return msgspec.structs.replace(schedule, next_due=next_due(schedule, now) if schedule.enabled else None)


def _name(text: str) -> str:
    return " ".join(text.split())[:NAME_CHARS]


def _age(field: str, value: float | None, otherwise: float) -> float:
    if value is None:
        return otherwise
    if not 0 <= value <= AGE_S:
        raise ScheduleRefused(f"{field}: 0 to {AGE_S:g} seconds.")
    return value


def _found(schedule: Schedule | None, schedule_id: str) -> Schedule:
    if schedule is None:
        raise _unknown(schedule_id)
    return schedule


def _unknown(schedule_id: str) -> UnknownSchedule:
    return UnknownSchedule(f"There is no schedule {schedule_id[:64]}.")
