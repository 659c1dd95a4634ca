"""One answer that may hold calls as text: what to show while it streams, and the whole message at its end.

No I/O. Above: `model`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from cetp_gateway.api import (
    AssistantMessage,
    Message,
    ModelEvent,
    ModelRequest,
    StepEnded,
    StopReason,
    TextDelta,
    ThinkingDelta,
    ToolUse,
    UserMessage,
)
from cetp_gateway.errors import ModelFailed, ModelFailure
from cetp_gateway.models.call_ids import fresh_id
from cetp_gateway.models.step_calls import taken_ids
from cetp_gateway.models.stop_reasons import settled
from cetp_gateway.models.tool_text.answer import Answer, Setting, quotable_texts, read_answer
from cetp_gateway.models.tool_text.conversation import texts_of_others
from cetp_gateway.models.tool_text.found import FoundCall
from cetp_gateway.models.tool_text.offered_names import OfferedNames
from cetp_gateway.models.tool_text.shown import ShownText
from cetp_gateway.models.tool_text.thoughts import Thoughts

_CODE: Final = re.compile(
    r"(?i)\b(?:json|xml|yaml|code|example|snippet|syntax|markup|(?:tool|function)[ _-]?calls?)\b"
    r"|代码|示例|例子|语法|格式"
)
"""Words of a person who wants to see code, and perhaps a call, rather than have one made."""


class TextStep:
    """One answer. Feed the vendor's events in order; the last one ends it."""

    def __init__(self, request: ModelRequest) -> None:
        self._request = request
        self._tools = OfferedNames(request.tools)
        self._about_code = bool(_CODE.search(_question(request.messages)))
        self._thoughts = Thoughts()
        self._shown = ShownText(self._tools, bare=not self._about_code)
        self._heard = False
        self._pieces: list[str] = []
        self._said: list[str] = []

    def take(self, event: ModelEvent) -> Iterator[ModelEvent]:
        """What one event of the vendor becomes; raises ModelFailed when the answer ends inside a call."""
        match event:
            case TextDelta(text):
                yield from self._take_text(text)
            case StepEnded():
                yield from self._end(event)
            case _:
                yield event

    def _take_text(self, text: str) -> Iterator[ModelEvent]:
        self._heard = True
        thought, answer = self._thoughts.feed(text)
        if thought:
            yield ThinkingDelta(thought)
        if answer:
            self._pieces.append(answer)
            yield from self._say(self._shown.feed(answer))

    def _say(self, text: str) -> Iterator[ModelEvent]:
        if text:
            self._said.append(text)
            yield TextDelta(text)

    def _end(self, ended: StepEnded) -> Iterator[ModelEvent]:
        if not self._heard:
            # A model need not stream.
            yield from self._take_text(ended.message.text)
        if rest := self._thoughts.end():
            self._pieces.append(rest)
        answer = self._read(ended)
        if answer.thought:
            yield ThinkingDelta(answer.thought)
        yield from self._say(answer.text.removeprefix("".join(self._said)))
        yield self._ended(ended, answer)

    def _read(self, ended: StepEnded) -> Answer:
        cut = ended.stop is not StopReason.END and ended.stop is not StopReason.TOOL_USE
        setting = Setting(tools=self._tools, about_code=self._about_code, cut=cut)
        text = "".join(self._pieces)
        answer = read_answer(text, setting)
        if answer.calls:
            # What others wrote may be a megabyte; it is looked through only when it matters.
            quotable = quotable_texts(texts_of_others(self._request.messages))
            answer = read_answer(text, msgspec.structs.replace(setting, quotable=quotable))
        if answer.half and not cut and not ended.message.calls:
            raise ModelFailed(
                ModelFailure.BROKEN_ANSWER,
                "The model's answer ended inside a tool call. Nothing of the call was run. Ask again.",
            )
        return answer

    def _ended(self, ended: StepEnded, answer: Answer) -> StepEnded:
        """Calls that the vendor itself recognised win over those in the text."""
        calls = ended.message.calls or self._with_ids(answer.calls)
        stop = settled(ended.stop, has_calls=bool(calls))
        if stop is not StopReason.TOOL_USE:
            calls = ()
        replay = ended.message.replay if ended.message.calls or not calls else ""
        return StepEnded(AssistantMessage(answer.text, calls, replay), stop, ended.usage)

    def _with_ids(self, found: Sequence[FoundCall]) -> tuple[ToolUse, ...]:
        taken = taken_ids(self._request.messages)
        calls = []
        for place, call in enumerate(found):
            call_id = fresh_id("", taken, place)
            taken.add(call_id)
            calls.append(ToolUse(call_id, call.name, call.arguments, call.problem))
        return tuple(calls)


def _question(messages: Sequence[Message]) -> str:
    """The person's newest words."""
    return next((message.text for message in reversed(messages) if isinstance(message, UserMessage)), "")
