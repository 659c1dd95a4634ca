"""What a search for tools has found, as the text that the model is given and as names read back from it.

The text stays in the session's history, so what was found is offered in later turns too, also after a restart.
Plain functions of values.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from cetp_gateway.api import Message, ToolResults, ToolSpec

SEARCH_TOOLS: Final = "search_tools"
SHOWN_CHARS: Final = 200
"""Of a description; the whole of it comes with the tool."""

_CALLABLE: Final = "From now on these can be called by their names."
_NOTHING: Final = "No tool has these words. Try what the tool would be for, in other words or another language."


class _Row(msgspec.Struct):
    name: str
    description: str


class _Found(msgspec.Struct):
    tools: list[_Row]
    note: str


def found_text(tools: Sequence[ToolSpec]) -> str:
    """JSON, in whose strings no description can pass for something else."""
    rows = [_Row(tool.name, " ".join(tool.description.split())[:SHOWN_CHARS]) for tool in tools]
    return msgspec.json.encode(_Found(rows, _CALLABLE if rows else _NOTHING)).decode("utf-8", "replace")


def names_found(messages: Iterable[Message]) -> list[str]:
    """Names in the results of searches, in the order of the messages."""
    return [
        name
        for message in messages
        if isinstance(message, ToolResults)
        for result in message.results
        if result.name == SEARCH_TOOLS and not result.is_error
        for name in _names_in(result.text)
    ]


def _names_in(text: str) -> list[str]:
    try:
        return [row.name for row in msgspec.json.decode(text, type=_Found).tools]
    except (msgspec.MsgspecError, UnicodeError):
        # Another version's text, or one that was cut: the model can search again.
        return []
