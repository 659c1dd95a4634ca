"""Turns the chunks of one chat completions answer into events and, at its end, the whole message.

No I/O. Above: the OpenAI-compatible adapter. Below: the pieces of calls.
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
from cetp_gateway.models.call_ids import fresh_id
from cetp_gateway.models.call_pieces import CallFragment, CallPieces
from cetp_gateway.models.failures import Failures
from cetp_gateway.models.messages_openai import KeptByVendor
from cetp_gateway.models.openai_chunks import Chunk, Delta, texts, usage_of
from cetp_gateway.models.replay import write_replay
from cetp_gateway.models.step_calls import finished_call, taken_ids
from cetp_gateway.models.stop_reasons import OPENAI_FAILED, OPENAI_STOP_REASONS, settled
from cetp_gateway.models.surrogates import WholeText, whole
from cetp_gateway.models.vendor_error import read_error
from cetp_gateway.models.vendors import Vendor

MAX_CHARS: Final = 8 * 1024 * 1024
"""Characters of one answer; a server that sends more is broken."""


class OpenAIStep:
    """One answer. `take` each chunk in order, then `end`."""

    def __init__(self, vendor: Vendor, model: str, failures: Failures, history: Sequence[Message]) -> None:
        self._vendor = vendor
        self._model = model
        self._failures = failures
        self._history = history
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._pieces = CallPieces()
        self._answer, self._thought = WholeText(), WholeText()
        self._usage = Usage()
        self._finish = ""
        self._refused = False
        self._chars = 0

    @property
    def finished(self) -> bool:
        """The server has said why it stopped."""
        return bool(self._finish)

    def take(self, chunk: Chunk) -> Iterator[ModelEvent]:
        """What one chunk adds; raises ModelFailed when it reports an error."""
        if chunk.error:
            raise self._failures.in_stream(read_error({"error": chunk.error}))
        self._usage = usage_of(chunk) or self._usage
        choice = chunk.choice
        if choice is None:
            return
        delta = choice.delta or (choice.message if not (self._text or self._pieces.calls) else None)
        if delta is not None:
            yield from self._take_delta(delta)
        if choice.finish_reason:
            self._finish = choice.finish_reason.lower()

    def _take_delta(self, delta: Delta) -> Iterator[ModelEvent]:
        answer, thinking = texts(delta.content)
        for said in (delta.reasoning_content, delta.reasoning):
            if isinstance(said, str) and said:
                thinking += said
                break
        if thought := self._thought.feed(thinking):
            self._reasoning.append(thought)
            yield ThinkingDelta(thought)
        self._refused = self._refused or bool(delta.refusal)
        if piece := self._answer.feed(answer + (delta.refusal or "")):
            self._text.append(piece)
            yield TextDelta(piece)
        for fragment in delta.tool_calls or ():
            self._pieces.add(fragment)
        if delta.function_call is not None and not delta.tool_calls:
            self._pieces.add(CallFragment(index=0, function=delta.function_call))
        self._bound(answer, thinking, delta)

    def _bound(self, answer: str, thinking: str, delta: Delta) -> None:
        arguments = [fragment.function.arguments for fragment in delta.tool_calls or () if fragment.function]
        self._chars += len(answer) + len(thinking) + sum(len(text) for text in arguments if isinstance(text, str))
        if self._chars > MAX_CHARS:
            raise self._failures.broken(f"is longer than {MAX_CHARS} characters")

    def end(self) -> StepEnded:
        """The whole message; raises ModelFailed when the answer is not complete."""
        if not self._finish:
            raise self._failures.broken("ended before it was complete")
        if self._finish in OPENAI_FAILED:
            raise self._failures.broken(f"was given up by the server ({self._finish})")
        reason = StopReason.REFUSED if self._refused else OPENAI_STOP_REASONS.get(self._finish)
        stop = settled(reason, has_calls=bool(self._pieces.calls))
        calls, beside = self._calls() if stop is StopReason.TOOL_USE else ((), {})
        text = "".join(self._text)
        if reason is StopReason.TOOL_USE and not calls and not text:
            raise self._failures.broken("announced a call and named none")
        return StepEnded(AssistantMessage(text, calls, self._replay(calls, beside)), stop, self._usage)

    def _calls(self) -> tuple[tuple[ToolUse, ...], dict[str, Any]]:
        calls: list[ToolUse] = []
        beside: dict[str, Any] = {}
        taken = taken_ids(self._history)
        for place, part in enumerate(self._pieces.calls):
            call_id = fresh_id(whole(part.id), taken, place)
            taken.add(call_id)
            calls.append(finished_call(call_id, part.name, part.text))
            if part.extra_content is not None:
                beside[call_id] = part.extra_content
        return tuple(calls), beside

    def _replay(self, calls: tuple[ToolUse, ...], beside: dict[str, Any]) -> str:
        """Only what the vendor will ask for."""
        reasoning = "".join(self._reasoning) if self._vendor.replays_reasoning else ""
        if not calls or not (beside or reasoning):
            return ""
        return write_replay(self._vendor.name, self._model, msgspec.to_builtins(KeptByVendor(reasoning, beside)))
