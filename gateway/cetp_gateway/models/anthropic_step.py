"""Turns the events of one Messages API answer into our events and, at its end, the whole message.

No I/O and no SDK: events come as plain dicts. Above: the Anthropic adapter.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from cetp_gateway.api import (
    AssistantMessage,
    Message,
    ModelEvent,
    StepEnded,
    StopReason,
    TextDelta,
    ThinkingDelta,
    ToolUse,
    Usage,
)
from cetp_gateway.models.anthropic_events import AnthropicEvent, Counts, EventDelta
from cetp_gateway.models.call_ids import fresh_id
from cetp_gateway.models.failures import Failures
from cetp_gateway.models.messages_anthropic import ADAPTER, Block
from cetp_gateway.models.replay import write_replay
from cetp_gateway.models.step_calls import finished_call, taken_ids
from cetp_gateway.models.stop_reasons import ANTHROPIC_STOP_REASONS, settled
from cetp_gateway.models.surrogates import WholeText, whole

MAX_CHARS: Final = 8 * 1024 * 1024
"""Characters of one answer; a server that sends more is broken."""
REBUILT: Final = frozenset({"text", "tool_use"})
"""Blocks that history can rebuild; a message with others is kept word for word."""


class AnthropicStep:
    """One answer. `take` each event in order, then `end`."""

    def __init__(self, model: str, failures: Failures, history: Sequence[Message]) -> None:
        self._model = model
        self._failures = failures
        self._history = history
        self._blocks: dict[int, Block] = {}
        self._inputs: dict[int, list[str]] = {}
        self._answer, self._thought = WholeText(), WholeText()
        self._counts = Counts()
        self._reason = ""
        self._chars = 0

    @property
    def finished(self) -> bool:
        """The API has said why it stopped; all blocks were complete before that."""
        return bool(self._reason)

    def take(self, event: dict[str, Any]) -> Iterator[ModelEvent]:
        """What one event adds; raises ModelFailed when it cannot be read."""
        try:
            read = msgspec.convert(event, AnthropicEvent, strict=False)
        except msgspec.ValidationError as error:
            raise self._failures.broken("could not be read") from error
        if read.type == "message_start" and read.message is not None:
            self._counts = self._counts.updated(read.message.usage)
        elif read.type == "content_block_start":
            yield from self._begin(read.index, read.content_block)
        elif read.type == "content_block_delta" and read.delta is not None:
            yield from self._continue(read.index, read.delta)
        elif read.type == "message_delta" and read.delta is not None:
            self._reason = read.delta.stop_reason or self._reason
            self._counts = self._counts.updated(read.usage)

    def _begin(self, index: int, block: dict[str, Any]) -> Iterator[ModelEvent]:
        self._blocks[index] = dict(block)
        self._inputs[index] = []
        yield from self._said(block.get("text"), block.get("thinking"))

    def _continue(self, index: int, delta: EventDelta) -> Iterator[ModelEvent]:
        block = self._blocks.setdefault(index, {"type": "text", "text": ""})
        for key in ("text", "thinking", "signature"):
            piece = getattr(delta, key)
            if piece:
                block[key] = (block.get(key) or "") + piece
        if delta.partial_json:
            self._inputs.setdefault(index, []).append(delta.partial_json)
        self._chars += len(delta.text or "") + len(delta.thinking or "") + len(delta.partial_json or "")
        if self._chars > MAX_CHARS:
            raise self._failures.broken(f"is longer than {MAX_CHARS} characters")
        yield from self._said(delta.text, delta.thinking)

    def _said(self, text: Any, thinking: Any) -> Iterator[ModelEvent]:
        if isinstance(thinking, str) and (thought := self._thought.feed(thinking)):
            yield ThinkingDelta(thought)
        if isinstance(text, str) and (piece := self._answer.feed(text)):
            yield TextDelta(piece)

    def end(self) -> StepEnded:
        """The whole message; raises ModelFailed when the answer is not complete."""
        if not self._reason:
            raise self._failures.broken("ended before it was complete")
        reason = ANTHROPIC_STOP_REASONS.get(self._reason)
        wanted = [index for index, block in self._blocks.items() if block.get("type") == "tool_use"]
        stop = settled(reason, has_calls=bool(wanted))
        calls = self._calls(wanted) if stop is StopReason.TOOL_USE else ()
        text = whole("".join(block.get("text") or "" for block in self._blocks.values() if block.get("type") == "text"))
        if reason is StopReason.TOOL_USE and not calls and not text:
            raise self._failures.broken("announced a call and named none")
        return StepEnded(AssistantMessage(text, calls, self._replay(stop)), stop, self._usage())

    def _calls(self, wanted: list[int]) -> tuple[ToolUse, ...]:
        calls = []
        taken = taken_ids(self._history)
        for place, index in enumerate(wanted):
            block = self._blocks[index]
            call_id = fresh_id(str(block.get("id") or ""), taken, place)
            taken.add(call_id)
            call = finished_call(call_id, str(block.get("name") or ""), self._input_text(index))
            block.update(id=call_id, input=call.arguments if not call.problem else {})
            calls.append(call)
        return tuple(calls)

    def _input_text(self, index: int) -> str:
        """Streamed pieces, or the input that came whole with the block's start."""
        streamed = "".join(self._inputs.get(index, []))
        given = self._blocks[index].get("input")
        return streamed if streamed.strip() or not given else msgspec.json.encode(given).decode()

    def _replay(self, stop: StopReason) -> str:
        """The blocks word for word, when there are some that only the vendor can make."""
        kept = [
            block for block in self._blocks.values() if block.get("type") != "text" or (block.get("text") or "").strip()
        ]
        special = any(block.get("type") not in REBUILT for block in kept)
        if not special or stop not in (StopReason.TOOL_USE, StopReason.PAUSED, StopReason.END):
            return ""
        return write_replay(ADAPTER, self._model, kept)

    def _usage(self) -> Usage:
        return self._counts.usage()
