"""The gateway's own tools: those that ship, by the settings, and those that an application brings.

What ships is loaded when its tools are first made, which takes as long as a fifth of a start.
"""

import msgspec

from cetp_gateway.api import Tool
from cetp_gateway.assemble.answering import Answering
from cetp_gateway.assemble.foundation import Foundation
from cetp_gateway.devices import Devices, PairedDevices
from cetp_gateway.schedules import ScheduleBook
from cetp_gateway.settings import Settings
from cetp_gateway.tools import ToolRegistry


class OwnTools(msgspec.Struct, frozen=True, kw_only=True):
    """Makes them anew whenever settings behind them have changed."""

    base: Foundation
    devices: Devices
    paired: PairedDevices
    schedules: ScheduleBook
    answering: Answering
    """Whose skills and kept results they read."""
    registry: ToolRegistry

    def __call__(self, settings: Settings) -> list[Tool]:
        """Those that these settings ask for, in the order in which they are registered."""
        base = self.base
        if not base.parts.builtin:
            return list(base.parts.tools)
        from cetp_gateway.assemble.known_devices import DevicesAtHand  # noqa: PLC0415
        from cetp_gateway.assemble.shipped import shipped_tools  # noqa: PLC0415
        from cetp_gateway.assemble.tool_searching import with_search  # noqa: PLC0415

        shipped = shipped_tools(
            settings,
            data_folder=base.data_folder,
            database=base.database,
            sessions=base.sessions,
            memory=base.memory,
            devices=DevicesAtHand(self.paired, self.devices, self.registry),
            questions=base.policy.questions,
            schedules=self.schedules,
            skills=self.answering.skills,
            results=self.answering.results,
        )
        return [*with_search(shipped, base.search, self.registry, settings), *base.parts.tools]
