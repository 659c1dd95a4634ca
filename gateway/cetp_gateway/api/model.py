"""The ModelProvider extension point: the LLM side."""

from collections.abc import AsyncIterator, Sequence
from enum import StrEnum
from typing import Protocol

import msgspec

from cetp_gateway.api.message import AssistantMessage, Message
from cetp_gateway.api.tool import ToolSpec


class StopReason(StrEnum):
    """Why a step ended, in no vendor's words."""

    END = "end"
    """The model has said what it wanted to say."""
    TOOL_USE = "tool_use"
    LENGTH = "length"
    """The output limit was reached; a half-built call is not in the message."""
    PAUSED = "paused"
    """The vendor paused a long step; asking again with the same messages goes on."""
    REFUSED = "refused"
    """The model or its vendor declined to answer."""


class Usage(msgspec.Struct, frozen=True):
    """Tokens of one step; 0 where the vendor did not say."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_input_tokens: int = 0
    """Those of the input that the vendor had kept."""
    cache_write_tokens: int = 0
    """Those of the input that the vendor has kept for next time."""


class ModelRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One step's question."""

    system: str
    messages: Sequence[Message]
    """Every call is answered in the message right behind it; starts with a user message."""
    tools: Sequence[ToolSpec] = ()
    """In a stable order, original schemas; adapting them to the vendor is the adapter's work."""


class TextDelta(msgspec.Struct, frozen=True):
    """A piece of the answer."""

    text: str


class ThinkingDelta(msgspec.Struct, frozen=True):
    """A piece of the reasoning; shown, never stored."""

    text: str


class StepEnded(msgspec.Struct, frozen=True):
    """The last event of a stream: the whole message, complete and valid."""

    message: AssistantMessage
    stop: StopReason
    usage: Usage = Usage()


ModelEvent = TextDelta | ThinkingDelta | StepEnded


class ModelProvider(Protocol):
    """An LLM. One object serves all sessions at once."""

    @property
    def provider(self) -> str:
        """Name of the provider as configured, for instance `anthropic`."""
        ...

    @property
    def model(self) -> str: ...

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """One step. Ends with exactly one StepEnded, or raises ModelFailed; closing the iterator drops the
        connection at once.
        """
        ...

    async def complete(self, request: ModelRequest) -> AssistantMessage:
        """The same without streaming, for side work such as titles. Raises ModelFailed."""
        ...

    async def models(self) -> list[str]:
        """Ids of the models that can be chosen. Raises ModelFailed."""
        ...

    async def aclose(self) -> None:
        """Let go of connections."""
        ...
