"""The tool `search_tools`: in a turn it searches what that turn may use, elsewhere what everybody may.

Above: `tool_offer`, `assemble`. Below: `search`, `found`, api.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from cetp_gateway.agent.tool_search.found import SEARCH_TOOLS, found_text
from cetp_gateway.agent.tool_search.search import ToolSearch
from cetp_gateway.api import (
    Answered,
    Arguments,
    CallContext,
    Effect,
    InvalidArguments,
    Outcome,
    RegisteredTool,
    ToolSpec,
    ToolView,
)

MOST_FOUND: Final = 20
USUAL_FOUND: Final = 10

_SPEC: Final = ToolSpec(
    name=SEARCH_TOOLS,
    description=(
        "Finds tools that you are not shown: there are more than fit. Say what the tool would be for; its app helps. "
        "Answers with names and short descriptions; what was found can be called from the next step on."
    ),
    parameters={
        "type": "object",
        "properties": {
            "query": {
                "type": "string",
                "minLength": 1,
                "maxLength": 500,
                "description": "What is wanted in a few words, such as: calendar free time this week.",
            },
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": MOST_FOUND,
                "description": f"Most tools to name; {USUAL_FOUND} unless told.",
            },
        },
        "required": ["query"],
        "additionalProperties": False,
    },
    effect=Effect.READS,
)


def searchable(view: ToolView) -> Sequence[ToolSpec]:
    """The tools of a view but for the search itself."""
    specs = view.specs()
    return [spec for spec in specs if spec.name != SEARCH_TOOLS] if view.find(SEARCH_TOOLS) else specs


class SearchTools:
    """Implements api.Tool. Registering it makes the name the gateway's own; outside a turn it searches `view`."""

    spec: Final = _SPEC

    def __init__(self, search: ToolSearch, view: Callable[[], ToolView]) -> None:
        self._search = search
        self._view = view

    async def execute(self, arguments: Arguments, context: CallContext) -> Outcome:  # noqa: ARG002
        return await _searched(self._search, self._view(), arguments)


class SearchInTurn:
    """Implements RegisteredTool in place of the registered one, over the view of one turn."""

    def __init__(self, registered: RegisteredTool, search: ToolSearch, view: ToolView) -> None:
        self.spec = registered.spec
        self._registered = registered
        self._search = search
        self._view = view

    def read_arguments(self, arguments: Any) -> Arguments | InvalidArguments:
        return self._registered.read_arguments(arguments)

    async def execute(self, arguments: Arguments, context: CallContext) -> Outcome:  # noqa: ARG002
        return await _searched(self._search, self._view, arguments)


class ViewWithSearch:
    """Implements ToolView: a turn's view whose `search_tools` searches that view."""

    def __init__(self, view: ToolView, search: ToolSearch, registered: RegisteredTool) -> None:
        self.revision = view.revision
        self._view = view
        self._in_turn = SearchInTurn(registered, search, view)

    def specs(self) -> Sequence[ToolSpec]:
        return self._view.specs()

    def find(self, name: str) -> RegisteredTool | None:
        return self._in_turn if name == SEARCH_TOOLS else self._view.find(name)

    def nearest(self, name: str) -> tuple[str, ...]:
        return self._view.nearest(name)


async def _searched(search: ToolSearch, view: ToolView, arguments: Arguments) -> Outcome:
    limit = int(arguments.get("limit", USUAL_FOUND))
    return Answered(found_text(await search.find(searchable(view), arguments["query"], limit)))
