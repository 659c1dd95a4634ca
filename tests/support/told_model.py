"""A model that is told what to say while it runs, and says each text in one piece."""

import asyncio
from collections.abc import AsyncIterator

from cetp_gateway.api import (
    AssistantMessage,
    ModelEvent,
    ModelRequest,
    StepEnded,
    StopReason,
    TextDelta,
    ToolUse,
)


class ToldModel:
    """Implements ModelProvider. A request waits until there is something to say."""

    provider = "told"
    model = "told"

    def __init__(self) -> None:
        self._answers: asyncio.Queue[AssistantMessage] = asyncio.Queue()

    def tell(self, text: str = "", calls: tuple[ToolUse, ...] = ()) -> None:
        """Say this to the next request that nobody has answered."""
        self._answers.put_nowait(AssistantMessage(text, calls))

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        message = await self._answers.get()
        if message.text:
            yield TextDelta(message.text)
        yield StepEnded(message, StopReason.TOOL_USE if message.calls else StopReason.END)

    async def complete(self, request: ModelRequest) -> AssistantMessage:
        return AssistantMessage("A title")

    async def models(self) -> list[str]:
        return [self.model]

    async def aclose(self) -> None:
        """Nothing to let go of."""
