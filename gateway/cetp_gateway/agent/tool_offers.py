"""Chooses the tools that turns begin with. What turns share for that: the search, and the habits so far.

Above: the loop, `assemble`. Below: `tool_offer`, `tool_habits`, `deferral`, `tool_search`.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Final

from cetp_gateway.agent.deferral import OfferLimits, all_fit, more_tools_note
from cetp_gateway.agent.tool_habits import ToolHabits
from cetp_gateway.agent.tool_offer import ToolOffer, newest_names
from cetp_gateway.agent.tool_search import SEARCH_TOOLS, ToolSearch, ViewWithSearch, label_of
from cetp_gateway.api import Message, ToolSpec, ToolView

WANTED_BY_WORDS: Final = 5
"""Tools that fit the user's words best; what a session was offered before is left as it was when it has them all."""
OFFERED_BY_WORDS: Final = 20
OFFERED_BY_HABIT: Final = 20
APPS_IN_FULL: Final = 2
"""Apps whose tool fits best have their others offered too: who finds a note wants to read it next."""
OFFERED_OF_APP: Final = 20
OFFERED_FROM_HISTORY: Final = 20


class ToolOffers:
    """One object for all turns of a gateway."""

    def __init__(self, search: ToolSearch | None = None) -> None:
        self.search = search or ToolSearch()
        self._habits = ToolHabits()

    async def begin(
        self, view: ToolView, limits: OfferLimits, *, text: str, history: Sequence[Message], session_id: str
    ) -> ToolOffer:
        """The offer of a turn.

        Args:
            view: what the turn may use.
            limits: what a request may carry.
            text: what the user wrote.
            history: earlier messages, oldest first.
            session_id: whose earlier offer is kept while it has what is wanted; empty for none.
        """
        offer = ToolOffer(ViewWithSearch(view, self.search), limits)
        if not offer.is_whole:
            await self._choose(offer, text, newest_names(history, OFFERED_FROM_HISTORY), session_id)
        return offer

    def end(self, offer: ToolOffer, session_id: str) -> None:
        """Learn from a turn."""
        self._habits.called(name for name in offer.used if name != SEARCH_TOOLS and offer.view.find(name))
        if not offer.is_whole:
            self._habits.offer(session_id, [tool.name for tool in offer.specs()])

    async def _choose(self, offer: ToolOffer, text: str, recent: Sequence[str], session_id: str) -> None:
        # When it is only their number, as many as may be are offered.
        fill = all_fit(offer.tools, OfferLimits(len(offer.tools), offer.limits.token_budget))
        most = offer.limits.max_tools if fill else OFFERED_BY_WORDS
        best = await offer.view.searcher.by_words(text, most)
        by_words = [tool.name for tool in best]
        wanted = (*recent, *by_words[:WANTED_BY_WORDS])
        before = self._habits.offered_to(session_id)
        if offer.view.can_search:
            offer.note = more_tools_note(offer.tools, SEARCH_TOOLS)
        if before and set(before).issuperset(name for name in wanted if offer.view.find(name)):
            offer.choose(before)
        else:
            rest = offer.tools if fill else ()
            order = (wanted, before, self._usual(offer.tools), _siblings(best, offer.tools), by_words)
            offer.choose(chain(*order, (tool.name for tool in rest)))

    def _usual(self, tools: Sequence[ToolSpec]) -> Iterator[str]:
        """The gateway's own tools, and those that are called most."""
        yield from (tool.name for tool in tools if tool.origin is None)
        yield from self._habits.frequent(OFFERED_BY_HABIT)


def _siblings(best: Sequence[ToolSpec], tools: Sequence[ToolSpec]) -> Iterator[str]:
    """Other tools of the apps that fit best."""
    for app in list(dict.fromkeys(app for tool in best if (app := label_of(tool))))[:APPS_IN_FULL]:
        yield from islice((tool.name for tool in tools if label_of(tool) == app), OFFERED_OF_APP)
