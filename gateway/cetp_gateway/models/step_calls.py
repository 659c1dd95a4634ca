"""Calls at the end of a step, the same for all vendors."""

from collections.abc import Sequence

from cetp_gateway.api import AssistantMessage, Message, ToolUse
from cetp_gateway.models.arguments import read_arguments
from cetp_gateway.models.surrogates import whole


def taken_ids(history: Sequence[Message]) -> set[str]:
    """Ids of calls that the conversation has already."""
    return {call.id for message in history if isinstance(message, AssistantMessage) for call in message.calls}


def finished_call(call_id: str, name: str, argument_text: str) -> ToolUse:
    """A call whose arguments have come to their end, with the reason when they cannot be read."""
    arguments, problem = read_arguments(argument_text)
    return ToolUse(call_id, whole(name), whole(arguments) if isinstance(arguments, str) else arguments, problem)
