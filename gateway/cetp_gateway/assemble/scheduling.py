"""Schedules, with the turns and the devices of the other rooms in their places."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from cetp_gateway.api import Schedule, ToolRegistry, ToolView, TurnEvent
from cetp_gateway.assemble.foundation import Foundation
from cetp_gateway.devices import Devices, PairedDevices
from cetp_gateway.schedules import AskTurn, Presence, ScheduleBook, open_schedules
from cetp_gateway.sessions import Asker, Conversations, SessionStore

ENTRANCE = "schedule"
"""What `CallContext.caller` says of calls in a scheduled run, and the name for `policy.clients`."""


@asynccontextmanager
async def scheduling(
    base: Foundation, conversations: Conversations, registry: ToolRegistry, devices: Devices, paired: PairedDevices
) -> AsyncIterator[ScheduleBook]:
    """Run what is due for the length of a block."""
    presence = Presence(devices, paired, registry)
    ask = _asking(base.sessions, conversations, registry, devices)
    schedules, clock = base.settings.schedules, base.parts.clock
    async with open_schedules(schedules, base.database, presence, devices, clock, ask=ask) as book:
        yield book


def _asking(sessions: SessionStore, conversations: Conversations, registry: ToolRegistry, devices: Devices) -> AskTurn:
    def view(schedule: Schedule) -> ToolView:
        """With the private tools of a socket in the session, when it is the one who made the schedule."""
        own = [link for link in devices.of_session(schedule.session_id) if link.owner == schedule.created_by]
        return registry.view(own[-1] if own else None)

    async def ask(schedule: Schedule, text: str) -> TurnEvent:
        is_new = not await sessions.exists(schedule.session_id)
        await sessions.open(
            schedule.session_id, name=schedule.name if is_new else "", persona=schedule.persona if is_new else ""
        )
        return await conversations.ask(
            schedule.session_id,
            text,
            view=lambda: view(schedule),
            emit=_nobody_watches,
            asker=Asker(ENTRANCE, schedule.created_by, vouched=schedule.by_person),
        )

    return ask


def _nobody_watches(event: TurnEvent) -> None:
    """What a run says is kept in its session; `cron_result` tells of its end."""
