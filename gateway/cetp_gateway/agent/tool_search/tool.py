"""The tool `search_tools`: in a turn it searches what that turn may use, elsewhere what everybody may.

Above: `tool_offer`, `assemble`. Below: `search`, `found`, api.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from cetp_gateway.agent.tool_search.found import SEARCH_TOOLS, found_text
from cetp_gateway.agent.tool_search.search import Searcher, ToolSearch
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


class SearchTools:
    """Implements api.Tool. Registering it makes the name the gateway's own; outside a turn it searches `view`."""

    spec: Final = _SPEC

    def __init__(self, search: ToolSearch, view: Callable[[], ToolView]) -> None:
        self._search = search
        self._view = view

    async def execute(self, arguments: Arguments, context: CallContext) -> Outcome:  # noqa: ARG002
        return await _searched(self._search.over(_others(self._view())), arguments)


class SearchInTurn:
    """Implements RegisteredTool in place of the registered one, over the tools of one turn."""

    def __init__(self, registered: RegisteredTool, searcher: Searcher) -> None:
        self.spec = registered.spec
        self._registered = registered
        self._searcher = searcher

    def read_arguments(self, arguments: Any) -> Arguments | InvalidArguments:
        return self._registered.read_arguments(arguments)

    async def execute(self, arguments: Arguments, context: CallContext) -> Outcome:  # noqa: ARG002
        return await _searched(self._searcher, arguments)


class ViewWithSearch:
    """Implements ToolView: a turn's view whose `search_tools`, when it is registered, searches that very view.

    Attributes:
        searcher: over all tools but the search itself.
        can_search: `search_tools` is there.
    """

    def __init__(self, view: ToolView, search: ToolSearch) -> None:
        self.revision = view.revision
        self._view = view
        registered = _registered(view)
        self.can_search = registered is not None
        self.searcher = search.over(_others(view) if registered else view.specs())
        self._in_turn = SearchInTurn(registered, self.searcher) if registered else None

    def specs(self) -> Sequence[ToolSpec]:
        return self._view.specs()

    def find(self, name: str) -> RegisteredTool | None:
        if name == SEARCH_TOOLS and self._in_turn is not None:
            return self._in_turn
        return self._view.find(name)

    def nearest(self, name: str) -> tuple[str, ...]:
        return self._view.nearest(name)


def _registered(view: ToolView) -> RegisteredTool | None:
    """Ours: where it is not registered, an app may have a tool of that name."""
    tool = view.find(SEARCH_TOOLS)
    return tool if tool is not None and tool.spec == _SPEC else None


def _others(view: ToolView) -> Sequence[ToolSpec]:
    return [spec for spec in view.specs() if spec.name != SEARCH_TOOLS]


async def _searched(searcher: Searcher, arguments: Arguments) -> Outcome:
    limit = int(arguments.get("limit", USUAL_FOUND))
    return Answered(found_text(await searcher.find(arguments["query"], limit)))
