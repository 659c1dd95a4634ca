"""The tools of one turn: all of the view, or the same well-chosen few in every request of the turn."""

from collections.abc import Iterable, Sequence

from cetp_gateway.agent.selection import select_tools
from cetp_gateway.api import AssistantMessage, Message, ToolSpec, ToolUse, ToolView


class ToolOffer:
    """Chosen once, so that vendors' prompt caches hold; chosen anew only when the model used a tool outside it."""

    def __init__(self, view: ToolView, *, max_tools: int, text: str, history: Sequence[Message]) -> None:
        self._view = view
        self._max_tools = max_tools
        self._text = text
        self._used = _names_in(history[-_RECENT_MESSAGES:])
        self._chosen: Sequence[ToolSpec] | None = None

    def specs(self) -> Sequence[ToolSpec]:
        """The tools for the next request, in the view's order."""
        if self._chosen is None:
            specs = self._view.specs()
            self._chosen = select_tools(specs, max_tools=self._max_tools, text=self._text, keep=self._used)
        return self._chosen

    def used(self, calls: Iterable[ToolUse]) -> None:
        """Keep the tools of these calls in the following requests."""
        offered = {spec.name for spec in self.specs()}
        new = {call.name for call in calls if call.name not in offered and self._view.find(call.name)}
        self._used |= {call.name for call in calls}
        if new:
            self._chosen = None


_RECENT_MESSAGES = 6
"""A question such as "and yesterday?" has no words for a tool; it means the tools just used."""


def _names_in(messages: Iterable[Message]) -> set[str]:
    return {call.name for message in messages if isinstance(message, AssistantMessage) for call in message.calls}
