"""A conversation as the Messages API wants it: alternating roles, results first, no empty blocks."""

from collections.abc import Sequence
from typing import Any, Final

from cetp_gateway.api import AssistantMessage, Message, ToolResult, ToolResults, ToolUse, UserMessage
from cetp_gateway.models.call_ids import WORDS_64, fitting_id, fitting_name
from cetp_gateway.models.replay import read_replay

ADAPTER: Final = "anthropic"
"""Name in `AssistantMessage.replay`."""
NO_TEXT: Final = "(no text)"
NO_OUTPUT: Final = "(no output)"

Block = dict[str, Any]


def to_anthropic(messages: Sequence[Message], model: str) -> list[dict[str, Any]]:
    """Consecutive messages of one side become one; results of calls stand before any text of the user."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        role = "assistant" if isinstance(message, AssistantMessage) else "user"
        blocks = _blocks(message, model)
        if not blocks:
            continue
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks
        else:
            turns.append({"role": role, "content": blocks})
    return turns


def _blocks(message: Message, model: str) -> list[Block]:
    if isinstance(message, UserMessage):
        return [_text(message.text if message.text.strip() else NO_TEXT)]
    if isinstance(message, ToolResults):
        return [_result(result) for result in message.results]
    return _replayed(message, model) or _rebuilt(message)


def _replayed(message: AssistantMessage, model: str) -> list[Block]:
    """The vendor's own blocks, unless they do not have exactly the message's calls."""
    kept = read_replay(message, ADAPTER, model)
    if not isinstance(kept, list):
        return []
    ids = [block.get("id") for block in kept if isinstance(block, dict) and block.get("type") == "tool_use"]
    return kept if ids == [call.id for call in message.calls] else []


def _rebuilt(message: AssistantMessage) -> list[Block]:
    text = [_text(message.text)] if message.text.strip() else []
    return text + [_call(call) for call in message.calls]


def _text(text: str) -> Block:
    return {"type": "text", "text": text}


def _call(call: ToolUse) -> Block:
    arguments = call.arguments if isinstance(call.arguments, dict) else {}
    return {
        "type": "tool_use",
        "id": fitting_id(call.id, WORDS_64),
        "name": fitting_name(call.name),
        "input": arguments,
    }


def _result(result: ToolResult) -> Block:
    block: Block = {
        "type": "tool_result",
        "tool_use_id": fitting_id(result.call_id, WORDS_64),
        "content": result.text if result.text.strip() else NO_OUTPUT,
    }
    return {**block, "is_error": True} if result.is_error else block
