"""The tools that make and keep schedules. A model that makes one acts for the owner: the policy asks a person.

A scheduled run may list and remove schedules and neither make nor change any, so that they cannot multiply by
themselves; no more may a webhook's turn, whose words may be a stranger's. Above: `all_tools`. Below: what keeps
schedules, injected.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, Protocol
from zoneinfo import ZoneInfo

from msgspec import Meta

from cetp_gateway.api import CallContext, Effect, Schedule, ScheduleChange, ScheduleRun, ScheduleWish, Tool
from cetp_gateway.builtin.builtin_tool import BuiltinTool, NotPossible, json_text
from cetp_gateway.builtin.declared import A, Asked, Declared
from cetp_gateway.errors import ScheduleError
from cetp_spec import ErrorCode

_BARRED: Final = frozenset({"schedule", "webhook"})
_SHOWN_CHARS: Final = 500

When = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=100,
        description="For repeating: a cron expression of five fields such as '30 7 * * 1-5'. For one time: ISO 8601 "
        "such as '2030-04-01T09:00', or words such as 'in 20 minutes' or 'tomorrow at 9:00'.",
    ),
]
Zone = Annotated[str, Meta(max_length=64, description="IANA time zone whose clock counts; empty is the gateway's.")]
Prompt = Annotated[
    str, Meta(min_length=1, max_length=8000, description="What the agent is asked each time, complete in itself.")
]
Name = Annotated[str, Meta(max_length=80, description="A short name for people.")]
DeviceNames = Annotated[
    tuple[Annotated[str, Meta(max_length=64)], ...],
    Meta(max_length=16, description="Devices whose tools a run needs and waits for, by name."),
]
ScheduleId = Annotated[str, Meta(min_length=1, max_length=64, description="The schedule's id, from schedule_list.")]


class ScheduleDesk(Protocol):
    """What keeps schedules. Its refusals are ScheduleErrors."""

    async def list(self) -> list[Schedule]: ...

    async def latest_runs(self) -> dict[str, ScheduleRun]: ...

    async def add(self, wish: ScheduleWish, *, client: str, by_person: bool) -> Schedule: ...

    async def change(self, schedule_id: str, change: ScheduleChange, *, by_person: bool) -> Schedule: ...

    async def remove(self, schedule_id: str) -> None: ...


class AddAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new schedule."""

    when: When
    prompt: Prompt
    name: Name = ""
    time_zone: Zone = ""
    devices: DeviceNames = ()
    session: Annotated[
        Literal["own", "this"],
        Meta(description="Where its answers go: a session of its own, or this conversation."),
    ] = "own"


class ListAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Nothing."""


class ChangeAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What shall be different; what is left out stays."""

    id: ScheduleId
    when: When | None = None
    prompt: Prompt | None = None
    name: Name | None = None
    time_zone: Zone | None = None
    devices: DeviceNames | None = None
    enabled: Annotated[bool, Meta(description="False pauses it.")] | None = None


class RemoveAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which one."""

    id: ScheduleId


class _ScheduleTool(BuiltinTool[A]):
    def __init__(self, desk: ScheduleDesk) -> None:
        self._desk = desk

    async def run(self, asked: A, context: CallContext) -> str:
        try:
            return await self.act(asked, context)
        except ScheduleError as error:
            raise NotPossible(error.message) from None

    @abstractmethod
    async def act(self, asked: A, context: CallContext) -> str:
        """The tool's answer. Raises NotPossible, ScheduleError."""


class ScheduleAdd(_ScheduleTool[AddAsked]):
    """Makes one."""

    declared = Declared(
        AddAsked,
        name="schedule_add",
        effect=Effect.WRITES,
        description="Makes the agent answer a prompt by itself at a time, once or again and again. Tell the user the "
        "next_due of the answer, with its time zone.",
    )

    async def act(self, asked: AddAsked, context: CallContext) -> str:
        _check_caller(context)
        wish = ScheduleWish(
            when=asked.when,
            prompt=asked.prompt,
            name=asked.name,
            time_zone=asked.time_zone,
            devices=asked.devices,
            session_id=context.session_id if asked.session == "this" else "",
        )
        return json_text(_shown(await self._desk.add(wish, client=context.client, by_person=False)))


class ScheduleList(_ScheduleTool[ListAsked]):
    """Shows all."""

    declared = Declared(
        ListAsked,
        name="schedule_list",
        effect=Effect.READS,
        description="Lists the schedules: id, name, when, prompt, when each is due next, and how its last run ended.",
    )

    async def act(self, asked: ListAsked, context: CallContext) -> str:  # noqa: ARG002
        runs = await self._desk.latest_runs()
        return json_text([_shown(schedule, runs.get(schedule.id)) for schedule in await self._desk.list()])


class ScheduleAlter(_ScheduleTool[ChangeAsked]):
    """Changes one."""

    declared = Declared(
        ChangeAsked,
        name="schedule_change",
        effect=Effect.WRITES,
        description="Changes a schedule: its time, prompt, name, devices, or whether it is paused.",
    )

    async def act(self, asked: ChangeAsked, context: CallContext) -> str:
        _check_caller(context)
        change = ScheduleChange(
            when=asked.when,
            prompt=asked.prompt,
            name=asked.name,
            time_zone=asked.time_zone,
            devices=asked.devices,
            enabled=asked.enabled,
        )
        return json_text(_shown(await self._desk.change(asked.id, change, by_person=False)))


class ScheduleRemove(_ScheduleTool[RemoveAsked]):
    """Removes one."""

    declared = Declared(
        RemoveAsked,
        name="schedule_remove",
        effect=Effect.WRITES,
        description="Removes a schedule and the record of its runs; their answers stay in its session.",
    )

    async def act(self, asked: RemoveAsked, context: CallContext) -> str:  # noqa: ARG002
        await self._desk.remove(asked.id)
        return json_text({"removed": asked.id})


def schedule_tools(desk: ScheduleDesk) -> Sequence[Tool]:
    """All four."""
    return (ScheduleAdd(desk), ScheduleList(desk), ScheduleAlter(desk), ScheduleRemove(desk))


def _check_caller(context: CallContext) -> None:
    if context.caller in _BARRED:
        raise NotPossible(
            f"A turn that a {context.caller} has begun may neither make nor change schedules.",
            code=ErrorCode.PERMISSION_DENIED,
            hint="Propose it in the answer, so that a person can ask for it.",
        )


def _shown(schedule: Schedule, latest: ScheduleRun | None = None) -> dict[str, Any]:
    due = schedule.next_due.astimezone(ZoneInfo(schedule.time_zone)) if schedule.next_due else None
    shown: dict[str, Any] = {
        "id": schedule.id,
        "name": schedule.name,
        "when": schedule.when,
        "time_zone": schedule.time_zone,
        "next_due": due.isoformat(timespec="minutes") if due else None,
        "enabled": schedule.enabled,
        "prompt": schedule.prompt[:_SHOWN_CHARS],
    }
    if schedule.devices:
        shown["devices"] = schedule.devices
    if latest is not None:
        shown["last_run"] = {"status": latest.status, "due_at": latest.due_at, "note": latest.note}
    return shown
