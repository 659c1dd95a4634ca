"""A conversation as plain talk, for requests without tools: vendors refuse calls when no tools are given."""

from collections.abc import Sequence

from cetp_gateway.api import AssistantMessage, Message, ToolResults, UserMessage


def as_plain_talk(messages: Sequence[Message]) -> list[Message]:
    """The same conversation with calls and results told in words."""
    return [_plain(message) for message in messages]


def _plain(message: Message) -> Message:
    if isinstance(message, AssistantMessage):
        calls = [f"[called {call.name}]" for call in message.calls]
        return AssistantMessage("\n".join([text for text in [message.text, *calls] if text]))
    if isinstance(message, ToolResults):
        return UserMessage("\n\n".join(f"[{result.name} answered]\n{result.text}" for result in message.results))
    return message
