"""Models of third parties that keep the contract less well than ours."""

from collections.abc import AsyncIterator

from cetp_gateway.api import AssistantMessage, ModelEvent, ModelRequest, StepEnded, StopReason, TextDelta


class SilentModel:
    """Streams nothing: its whole text comes with the end of the step."""

    provider = "silent"
    model = "silent"

    def __init__(self, text: str) -> None:
        self._text = text

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        yield StepEnded(AssistantMessage(self._text), StopReason.END)

    async def complete(self, request: ModelRequest) -> AssistantMessage:
        return AssistantMessage(self._text)

    async def models(self) -> list[str]:
        return [self.model]

    async def aclose(self) -> None:
        """Nothing to let go of."""


class UnendingModel(SilentModel):
    """Says something and stops without the end of a step."""

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        yield TextDelta(self._text)
