"""When there are more tools than a request may carry: those that fit the user's words best, in stable order."""

from collections.abc import Sequence

from cetp_gateway.api import AssistantMessage, Message, ToolSpec, UserMessage
from cetp_gateway.models.words import ToolWords, words_of

TOO_MANY = "more tools are offered than a request may carry; others fit the question better"


def choose_tools(
    tools: Sequence[ToolSpec], messages: Sequence[Message], limit: int
) -> tuple[list[ToolSpec], list[ToolSpec]]:
    """Chosen and left out, each in the order given.

    Tools that the conversation has used stay; then counts how well a tool fits the newest user message, which is
    the same for all steps of a turn. Equal tools keep their order.
    """
    if len(tools) <= limit:
        return list(tools), []
    used = {call.name for message in messages if isinstance(message, AssistantMessage) for call in message.calls}
    asked = next((message.text for message in reversed(messages) if isinstance(message, UserMessage)), "")
    words, index = words_of(asked), ToolWords(tools)
    ranked = sorted(
        range(len(tools)), key=lambda place: (tools[place].name not in used, -index.score(place, words), place)
    )
    chosen = set(ranked[:limit])
    return (
        [tool for place, tool in enumerate(tools) if place in chosen],
        [tool for place, tool in enumerate(tools) if place not in chosen],
    )
