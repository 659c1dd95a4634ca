"""Which tools a request carries: those that can be adapted, and of too many those that fit the question best."""

import logging
from collections.abc import Sequence
from typing import Final

from cetp_gateway.api import Message, ToolSpec
from cetp_gateway.models.tool_choice import TOO_MANY, choose_tools
from cetp_gateway.models.tool_schemas import AdaptedTool, ToolLimits, adapt_tools

log = logging.getLogger(__name__)

MAX_TOLD: Final = 1000
"""Tools whose reasons are remembered as logged."""


class OfferedTools:
    """The tools of one model's requests.

    Args:
        limits: the vendor's.
        max_tools: the owner's own limit.
    """

    def __init__(self, limits: ToolLimits, max_tools: int) -> None:
        self._limits = limits
        self._max_tools = min(limits.max_tools, max_tools)
        self._told: set[tuple[str, str]] = set()
        self.left_out: dict[str, str] = {}
        """Tools that the newest request went without, each with its reason."""

    def choose(self, tools: Sequence[ToolSpec], messages: Sequence[Message]) -> tuple[AdaptedTool, ...]:
        """Ready tools in their order."""
        adapted = adapt_tools(tools, self._limits)
        usable = [tool for tool in tools if tool.name not in adapted.left_out]
        chosen, spare = choose_tools(usable, messages, self._max_tools)
        self._tell(adapted.left_out)
        self.left_out = {**adapted.left_out, **{tool.name: TOO_MANY for tool in spare}}
        if not spare:
            return adapted.tools
        names = {tool.name for tool in chosen}
        return tuple(tool for tool in adapted.tools if tool.name in names)

    def _tell(self, left_out: dict[str, str]) -> None:
        """Log each tool and reason once."""
        for name, reason in left_out.items():
            if (name, reason) not in self._told and len(self._told) < MAX_TOLD:
                self._told.add((name, reason))
                log.warning("The tool %s is not shown to the model: %s.", name, reason)
