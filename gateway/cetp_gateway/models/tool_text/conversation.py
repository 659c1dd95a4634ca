"""A conversation for a model without tool calls of its own: calls and results as text, roles taking turns.

What people and apps wrote cannot pass for a call or a result: the marks in it are bent.
"""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from cetp_gateway.api import AssistantMessage, Message, ToolResult, ToolResults, ToolUse, UserMessage
from cetp_gateway.models.tool_text.envelopes import MARKS
from cetp_gateway.models.tool_text.prompt import BEGIN, END

HEADING: Final = "[Tool results]"
_BENT: Final = {"<": "‹", "[": "(", "◁": "‹", "▷": "›", "f": "f "}
_MARK: Final = re.compile("|".join(map(re.escape, [*MARKS, "</tool_result", "<tool_result", HEADING, END])))


def as_text(messages: Sequence[Message]) -> list[Message]:
    """The same conversation in plain messages; neighbours of one role are joined."""
    said: list[Message] = []
    for message in messages:
        plain = _plain(message)
        if said and isinstance(plain, UserMessage) and isinstance(said[-1], UserMessage):
            plain = UserMessage(f"{said.pop().text}\n\n{plain.text}")  # type: ignore[union-attr]
        said.append(plain)
    return said


def _plain(message: Message) -> UserMessage | AssistantMessage:
    if isinstance(message, UserMessage):
        return UserMessage(bent(message.text))
    if isinstance(message, ToolResults):
        return UserMessage("\n".join([HEADING, *map(_result, message.results)]))
    written = [part for part in (message.text, *map(_call, message.calls)) if part]
    return AssistantMessage("\n".join(written))


def _call(call: ToolUse) -> str:
    arguments = call.arguments if isinstance(call.arguments, dict) else {}
    return BEGIN + msgspec.json.encode({"name": call.name, "arguments": arguments}).decode() + END


def _result(result: ToolResult) -> str:
    status = "error" if result.is_error else "ok"
    return f'<tool_result name="{result.name}" status="{status}">\n{bent(result.text)}\n</tool_result>'


def bent(text: str) -> str:
    """The text with every mark of ours made harmless; it reads the same to people."""
    return _MARK.sub(lambda mark: _BENT[mark[0][0]] + mark[0][1:], text)


def texts_of_others(messages: Sequence[Message]) -> list[str]:
    """What people and tools wrote: calls that stand in it are not the model's own."""
    texts = [message.text for message in messages if isinstance(message, UserMessage)]
    results = [message.results for message in messages if isinstance(message, ToolResults)]
    return texts + [result.text for group in results for result in group]
