"""Which tools come first when not all can be offered. The same choice always; one scorer with the tool search.

For callers without a turn; `tool_offers` is for turns. Below: `deferral`, `tool_search`.
"""

from collections.abc import Collection, Sequence

from cetp_gateway.agent.deferral import OfferLimits, admitted
from cetp_gateway.agent.tool_search import ToolSearch
from cetp_gateway.agent.tool_search.ranking import ranked
from cetp_gateway.api import ToolSpec


def select_tools(specs: Sequence[ToolSpec], *, max_tools: int, text: str, keep: Collection[str] = ()) -> list[ToolSpec]:
    """At most `max_tools` of the tools, in the order of `specs`: those that fit the text best.

    Args:
        specs: all usable tools.
        max_tools: how many a request may carry.
        text: what the user wrote last.
        keep: names that come first, such as tools that this turn has used.
    """
    if len(specs) <= max_tools:
        return list(specs)
    index = ToolSearch().indexes.at_once(specs)
    best = [specs[place].name for place in ranked(index.scores(text), index.apps, max_tools)]
    return admitted(specs, (*keep, *best, *(spec.name for spec in specs)), OfferLimits(max_tools))
