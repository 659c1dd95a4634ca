"""Which tools a request carries: those that can be adapted, and no more than the vendor takes.

Choosing by the user's words is the agent's work (`model.max_tools`); a vendor's own limit is kept here.
"""

import logging
from collections.abc import Sequence
from typing import Final

from cetp_gateway.api import ToolSpec
from cetp_gateway.models.tool_schemas import AdaptedTool, ToolLimits, adapt_tools

log = logging.getLogger(__name__)

MAX_TOLD: Final = 1000
"""Tools whose reasons are remembered as logged."""


class OfferedTools:
    """The tools of one model's requests."""

    def __init__(self, limits: ToolLimits) -> None:
        self._limits = limits
        self._told: set[tuple[str, str]] = set()
        self.left_out: dict[str, str] = {}
        """Tools that the newest request went without, each with its reason."""

    def choose(self, tools: Sequence[ToolSpec]) -> tuple[AdaptedTool, ...]:
        """Ready tools in their order."""
        adapted = adapt_tools(tools, self._limits)
        most = self._limits.max_tools
        self._tell(adapted.left_out)
        spare = adapted.tools[most:]
        reason = f"this vendor takes at most {most} tools; lower model.max_tools to that"
        if spare:
            self._tell({f"{spare[0].name} and those behind it, {len(spare)} in all": reason})
        self.left_out = {**adapted.left_out, **{tool.name: reason for tool in spare}}
        return adapted.tools[:most]

    def _tell(self, left_out: dict[str, str]) -> None:
        """Log each tool and reason once."""
        for name, reason in left_out.items():
            if (name, reason) not in self._told and len(self._told) < MAX_TOLD:
                self._told.add((name, reason))
                log.warning("Not shown to the model: %s (%s).", name, reason)
