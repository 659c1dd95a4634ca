"""A conversation as the chat completions API wants it: one tool message per call, arguments as text."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from cetp_gateway.api import AssistantMessage, Message, ToolResult, ToolResults, ToolUse, UserMessage
from cetp_gateway.models.call_ids import fitting_id, fitting_name
from cetp_gateway.models.replay import read_replay
from cetp_gateway.models.vendors import Vendor

NO_TEXT: Final = "(no text)"
NO_OUTPUT: Final = "(no output)"
UNSIGNED: Final = {"google": {"thought_signature": "skip_thought_signature_validator"}}
"""What Gemini's reference says to send for a call that another model made."""

Sent = dict[str, Any]


class KeptByVendor(msgspec.Struct, frozen=True):
    """What must come back with a message: its reasoning, and what the vendor put beside each call."""

    reasoning: str = ""
    beside_calls: dict[str, Any] = {}


def to_openai(system: str, messages: Sequence[Message], vendor: Vendor, model: str) -> list[Sent]:
    """The system prompt and all messages."""
    sent: list[Sent] = [{"role": "system", "content": system}] if system.strip() else []
    for message in messages:
        if isinstance(message, UserMessage):
            sent.append({"role": "user", "content": message.text if message.text.strip() else NO_TEXT})
        elif isinstance(message, ToolResults):
            sent += [_result(result, vendor) for result in message.results]
        elif message.calls or message.text.strip():
            sent.append(_assistant(message, vendor, model))
    return sent


def _assistant(message: AssistantMessage, vendor: Vendor, model: str) -> Sent:
    no_text = "" if vendor.calls_whole else None
    sent: Sent = {"role": "assistant", "content": message.text if message.text.strip() else no_text}
    if not message.calls:
        return sent
    kept = _kept(message, vendor, model)
    sent["tool_calls"] = [_call(call, vendor, kept) for call in message.calls]
    if vendor.signs_calls and not kept.beside_calls:
        sent["tool_calls"][0]["extra_content"] = UNSIGNED
    if vendor.replays_reasoning:
        sent["reasoning_content"] = kept.reasoning
    return sent


def _kept(message: AssistantMessage, vendor: Vendor, model: str) -> KeptByVendor:
    try:
        return msgspec.convert(read_replay(message, vendor.name, model) or {}, KeptByVendor)
    except msgspec.ValidationError:
        return KeptByVendor()


def _call(call: ToolUse, vendor: Vendor, kept: KeptByVendor) -> Sent:
    arguments = call.arguments if isinstance(call.arguments, dict) else {}
    sent: Sent = {
        "id": fitting_id(call.id, vendor.call_ids),
        "type": "function",
        "function": {"name": fitting_name(call.name), "arguments": msgspec.json.encode(arguments).decode()},
    }
    if call.id in kept.beside_calls:
        sent["extra_content"] = kept.beside_calls[call.id]
    return sent


def _result(result: ToolResult, vendor: Vendor) -> Sent:
    text = result.text if result.text.strip() else NO_OUTPUT
    return {"role": "tool", "tool_call_id": fitting_id(result.call_id, vendor.call_ids), "content": text}
