"""The offline model: a question becomes calls, their results become a report, and it says that it is no LLM.

Above: the factories. Below: planning and reporting, which are plain functions.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, date, datetime
from typing import Final

from cetp_gateway.api import (
    AssistantMessage,
    Message,
    ModelEvent,
    ModelRequest,
    StepEnded,
    StopReason,
    TextDelta,
    ToolResult,
    ToolResults,
    UserMessage,
)
from cetp_gateway.models.completed import Completed
from cetp_gateway.models.offline.planning import plan_calls
from cetp_gateway.models.offline.reporting import report_nothing_fits, report_results
from cetp_gateway.models.step_calls import taken_ids

TITLE_CHARS: Final = 40
PIECE_WORDS: Final = 3
_STAMP: Final = re.compile(r"^\[\d{4}-\d\d-\d\d [^\]]*\]\s*")
"""The time in front of a user's message; its parts are no words of the question."""


def today() -> date:
    """This machine's date."""
    return datetime.now(UTC).astimezone().date()


class OfflineModel:
    """Implements ModelProvider by rules. One round of calls per question, then the report.

    Args:
        clock: says which day it is, for questions about tomorrow.
    """

    provider: Final = "offline"
    model: Final = "offline-planner"
    uses_no_tokens: Final = True

    def __init__(self, clock: Callable[[], date] = today) -> None:
        self._clock = clock

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Calls for a question, a report for results."""
        message = self._answer(request)
        for piece in _pieces(message.text):
            yield TextDelta(piece)
            await asyncio.sleep(0)
        yield StepEnded(message, StopReason.TOOL_USE if message.calls else StopReason.END)

    def _answer(self, request: ModelRequest) -> AssistantMessage:
        question, results = _turn(request.messages)
        if results:
            return AssistantMessage(report_results(results))
        plan = plan_calls(question, request.tools, self._clock(), taken_ids(request.messages))
        if plan.calls:
            return AssistantMessage("", plan.calls)
        return AssistantMessage(report_nothing_fits(request.tools, plan.missing))

    async def complete(self, request: ModelRequest) -> AssistantMessage:
        """The first words of what the user wrote: side work such as titles gets no planning."""
        question, _ = _turn(request.messages)
        line = " ".join(question.split())
        return Completed(line if len(line) <= TITLE_CHARS else line[:TITLE_CHARS].rstrip() + "…")

    async def models(self) -> list[str]:
        return [self.model]

    async def aclose(self) -> None:
        """Nothing to let go of."""


def _turn(messages: Sequence[Message]) -> tuple[str, list[ToolResult]]:
    """The newest question, and the results since."""
    results: list[ToolResult] = []
    for message in reversed(messages):
        if isinstance(message, UserMessage):
            return _STAMP.sub("", message.text), results
        if isinstance(message, ToolResults):
            results = [*message.results, *results]
    return "", results


def _pieces(text: str) -> list[str]:
    """The text in pieces of a few words, blanks kept."""
    words = text.split(" ")
    spaced = [word if place == len(words) - 1 else word + " " for place, word in enumerate(words)]
    pieces = ["".join(spaced[at : at + PIECE_WORDS]) for at in range(0, len(spaced), PIECE_WORDS)]
    return [piece for piece in pieces if piece]
