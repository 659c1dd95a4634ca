"""How many tokens a text may be, where no vendor has counted. Meant to be too many rather than too few."""

from typing import Final

import msgspec

from cetp_gateway.api import AssistantMessage, Message, ModelRequest, ToolResults

BYTES_PER_TOKEN: Final = 3
"""Of UTF-8: English has about four, Chinese about three."""
PER_MESSAGE: Final = 8


def tokens_of_text(text: str) -> int:
    return len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN + 1


def tokens_of_request(request: ModelRequest) -> int:
    """System prompt, conversation and tools."""
    tools = sum(
        tokens_of_text(tool.name + tool.description) + len(msgspec.json.encode(tool.parameters)) // BYTES_PER_TOKEN
        for tool in request.tools
    )
    return tokens_of_text(request.system) + sum(_of_message(message) for message in request.messages) + tools


def _of_message(message: Message) -> int:
    if isinstance(message, ToolResults):
        return sum(tokens_of_text(result.text) + PER_MESSAGE for result in message.results)
    calls = message.calls if isinstance(message, AssistantMessage) else ()
    return PER_MESSAGE + tokens_of_text(message.text) + len(msgspec.json.encode(calls)) // BYTES_PER_TOKEN
