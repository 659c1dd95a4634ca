"""What one socket does to the registry: its offers, withdrawals and questions, answered in the order they came."""

import asyncio

import msgspec

from cetp_gateway.api import OfferedTool, ToolRegistry
from cetp_gateway.devices import Capability, Link, frames_out
from cetp_gateway.devices.events import ToolsOffered, ToolsWithdrawn

_encode = msgspec.json.Encoder().encode


class Registrations:
    """One socket's registrations. A long list is taken in slices, and what comes behind it waits for it."""

    __slots__ = ("_link", "_order", "_registry")

    def __init__(self, link: Link, registry: ToolRegistry) -> None:
        self._link = link
        self._registry = registry
        self._order = asyncio.Lock()

    async def settled(self) -> None:
        """Wait until every registration that came before has been taken in."""
        async with self._order:
            return

    async def offer(self, event: ToolsOffered) -> None:
        """Take tools in and say what became of each."""
        async with self._order:
            verdicts = await self._registry.offer_in_slices(self._link, event.tools, replace=event.replace)
            detailed = Capability.REGISTRATION in self._link.capabilities
            self._answer(
                frames_out.tools_registered(
                    event.count,
                    self._held(),
                    verdicts=verdicts if detailed else None,
                    revision=self._registry.revision,
                )
            )

    async def withdraw(self, event: ToolsWithdrawn) -> None:
        """Take tools away."""
        async with self._order:
            self._registry.withdraw(self._link, event.names)
            detailed = Capability.REGISTRATION in self._link.capabilities
            self._answer(
                frames_out.tools_registered(
                    len(event.names), self._held(), verdicts=[] if detailed else None, revision=self._registry.revision
                )
            )

    async def show(self) -> None:
        """Send the list of the socket's tools, under the names that the device gave them."""
        async with self._order:
            rows = self._registry.rows(self._link)
            tools = [
                OfferedTool(
                    name=row.wire_name, description=row.description, parameters=msgspec.Raw(_encode(row.parameters))
                )
                for row in rows
            ]
            self._answer(frames_out.registered_tools(tools))

    def _held(self) -> int:
        """Tools now held for the socket, quarantined ones included (spec 13.2)."""
        counts = self._registry.counts(self._link)
        return counts.usable + counts.quarantined

    def _answer(self, frame: str) -> None:
        self._link.post(frame)
