"""The tool by which models find other tools, among those that ship."""

from collections.abc import Iterable

from cetp_gateway.agent import SEARCH_TOOLS, SearchTools, ToolSearch
from cetp_gateway.api import Tool
from cetp_gateway.builtin.all_tools import is_switched_on
from cetp_gateway.settings import Settings
from cetp_gateway.tools import ToolRegistry


def with_search(shipped: Iterable[Tool], search: ToolSearch, registry: ToolRegistry, settings: Settings) -> list[Tool]:
    """These and `search_tools`, unless it is switched off; without it no tool is held back for its tokens."""
    if not is_switched_on(SEARCH_TOOLS, settings.builtin):
        return list(shipped)
    return [*shipped, SearchTools(search, registry.view)]
