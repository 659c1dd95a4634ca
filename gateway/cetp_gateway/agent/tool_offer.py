"""The tools of one turn: all of the view, or the same well-chosen few in every request of the turn.

Above: `tool_offers`, the loop. Below: `deferral`, `tool_search`, api.
"""

from collections.abc import Iterable, Sequence

from cetp_gateway.agent.deferral import OfferLimits, admitted, all_fit
from cetp_gateway.agent.tool_search import SEARCH_TOOLS, ViewWithSearch, names_found
from cetp_gateway.api import AssistantMessage, Message, ToolResult, ToolResults, ToolSpec


class ToolOffer:
    """Chosen once, so that vendors' prompt caches hold; changed only when the model used or found other tools.

    Args:
        view: for the turn's calls: a tool that is held back can be called all the same.
        limits: what a request may carry. Tools are held back for their tokens only when the model can search for them.
    """

    def __init__(self, view: ViewWithSearch, limits: OfferLimits) -> None:
        self.view = view
        self.tools = view.searcher.tools
        self.limits = limits if view.can_search else OfferLimits(limits.max_tools)
        self.used: set[str] = set()
        """Names of the tools that have been called."""
        self.note = ""
        """For the system prompt; empty when nothing is held back."""
        self.is_whole = all_fit(self.tools, self.limits)
        self._chosen = self.tools

    def specs(self) -> Sequence[ToolSpec]:
        """The tools for the next request, in the view's order."""
        return self._chosen

    def choose(self, order: Iterable[str]) -> None:
        """Offer the tools that come first and fit; unknown names are passed over."""
        self._chosen = admitted(self.view.specs(), (SEARCH_TOOLS, *order), self.limits)

    def take(self, results: Sequence[ToolResult], named: Iterable[str] = ()) -> None:
        """Keep the tools of these calls, those that searches among them have found, and those that results have
        `named` in the following requests.
        """
        names = [result.name for result in results]
        self.used.update(names)
        if self.is_whole:
            return
        there = {tool.name for tool in self._chosen}
        found = names_found([ToolResults(tuple(results))]) if self.view.can_search else []
        new = [name for name in (*found, *named, *names) if name not in there]
        if any(self.view.find(name) for name in new):
            self.choose((*new, *(tool.name for tool in self._chosen)))


def newest_names(history: Sequence[Message], most: int) -> list[str]:
    """Tools that were used or found in earlier messages, the latest first: a question such as "and yesterday?" has no
    words for a tool and means those just used.
    """
    found: dict[str, None] = {}
    for message in reversed(history):
        if isinstance(message, AssistantMessage):
            found.update(dict.fromkeys(call.name for call in message.calls))
        elif isinstance(message, ToolResults):
            found.update(dict.fromkeys(names_found([message])))
        if len(found) >= most:
            break
    return list(found)[:most]
