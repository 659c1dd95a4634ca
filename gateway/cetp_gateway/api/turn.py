"""A turn: one user message and all it causes. Its record is what is stored, its events are what is shown."""

from collections.abc import Callable
from enum import StrEnum
from typing import Any

import msgspec

from cetp_gateway.api.message import AssistantMessage, ToolResult, ToolUse
from cetp_gateway.api.model import Usage
from cetp_gateway.api.outcome import Outcome


class Step(msgspec.Struct, frozen=True):
    """One model request of a turn: what the model said, and the results of its calls, in their order."""

    message: AssistantMessage
    results: tuple[ToolResult, ...] = ()


class TurnStatus(StrEnum):
    """How far a turn got."""

    RUNNING = "running"
    """Also what a crash leaves behind; read as interrupted."""
    DONE = "done"
    ABORTED = "aborted"
    FAILED = "failed"


class TurnRecord(msgspec.Struct, kw_only=True):
    """What a turn has produced so far. Filled by the agent while it runs; valid history at any moment:
    a step enters only when all its calls are answered.
    """

    steps: list[Step] = msgspec.field(default_factory=list)
    pieces: list[str] = msgspec.field(default_factory=list)
    """Text of a step that has not ended, as it came; kept when the turn is aborted, dropped when it fails."""
    usage: Usage = Usage()

    @property
    def partial(self) -> str:
        """Text of a step that has not ended."""
        return "".join(self.pieces)

    @property
    def text(self) -> str:
        """The text of all steps joined, as `done.full_response` carries it."""
        return "".join(step.message.text for step in self.steps) + self.partial


class PromptBuilt(msgspec.Struct, frozen=True):
    """The first request of a turn, for people who debug (wire: debug_prompt)."""

    messages: list[dict[str, Any]]
    """`{"role", "content"}` each, the system prompt first."""
    estimated_tokens: int


class TextSaid(msgspec.Struct, frozen=True):
    """A piece of the answer (wire: chunk)."""

    text: str


class Thought(msgspec.Struct, frozen=True):
    """A piece of the reasoning (wire: thinking)."""

    text: str


class CallsAnnounced(msgspec.Struct, frozen=True):
    """All calls of a step, before the first one runs (wire: one tool_call each)."""

    calls: tuple[ToolUse, ...]


class CallsFinished(msgspec.Struct, frozen=True):
    """All calls of a step have ended; outcomes in the order of the calls (wire: one tool_result each)."""

    calls: tuple[ToolUse, ...]
    outcomes: tuple[Outcome, ...]
    results: tuple[ToolResult, ...]


class TurnDone(msgspec.Struct, frozen=True):
    """The turn has ended as it should."""

    text: str
    usage: Usage
    elapsed_ms: int


class TurnAborted(msgspec.Struct, frozen=True):
    """Somebody stopped the turn; `text` is what had been said."""

    text: str


class TurnFailed(msgspec.Struct, frozen=True):
    """The turn could not go on. `code` is one of wire section 4."""

    code: str
    message: str


TurnEvent = PromptBuilt | TextSaid | Thought | CallsAnnounced | CallsFinished | TurnDone | TurnAborted | TurnFailed

Emit = Callable[[TurnEvent], None]
"""Takes the events of a turn in order. Must not block; a receiver that is gone is no error."""
