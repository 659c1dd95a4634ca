"""Gives tools to models that have no calls of their own, and finds the calls that servers leave in the text.

Above: the factories. Below: any ModelProvider. The agent sees no difference.
"""

import logging
from collections.abc import AsyncIterator
from typing import Literal

import msgspec

from cetp_gateway.api import AssistantMessage, ModelEvent, ModelProvider, ModelRequest
from cetp_gateway.models.around import ModelAround
from cetp_gateway.models.closing import closing
from cetp_gateway.models.failures import ToolsRefused
from cetp_gateway.models.tool_text.conversation import as_text
from cetp_gateway.models.tool_text.prompt import with_tools
from cetp_gateway.models.tool_text.step import TextStep
from cetp_gateway.models.tool_text.thoughts import Thoughts

log = logging.getLogger(__name__)


class ToolTextModel(ModelAround):
    """Implements ModelProvider around another one.

    Args:
        mode: `text` tells the model about tools in words and reads its calls from the text. `auto` begins with the
            vendor's own tool calls and changes to `text`, for good, when the vendor says that the model takes none.
        reads_text: the server may leave calls in the text even when it takes tools (programs on one's own machine).
    """

    def __init__(self, model: ModelProvider, *, mode: Literal["auto", "text"], reads_text: bool = False) -> None:
        super().__init__(model)
        self._in_words = mode == "text"
        self._reads_text = reads_text

    @property
    def left_out(self) -> dict[str, str]:
        """Tools that the newest request went without, each with its reason."""
        return {} if self._in_words else super().left_out

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """One step."""
        if not self._in_words:
            try:
                async with closing(self._native(request)) as events:
                    async for event in events:
                        yield event
            except ToolsRefused as refused:
                # An error status: nothing of an answer has come.
                self._in_words = True
                log.info("%s takes no tools; it is told about them in words. (%s)", self.model, refused)
            else:
                return
        async with closing(self._worded(request)) as events:
            async for event in events:
                yield event

    async def _native(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        step = TextStep(request) if self._reads_text and request.tools else None
        async with closing(self._inner.stream(request)) as events:
            async for event in events:
                for said in step.take(event) if step else (event,):
                    yield said

    async def _worded(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        step = TextStep(request)
        async with closing(self._inner.stream(_in_words(request))) as events:
            async for event in events:
                for said in step.take(event):
                    yield said

    async def complete(self, request: ModelRequest) -> AssistantMessage:
        """One answer as a whole, without tools and without thoughts."""
        answer = await self._inner.complete(request)
        if not (self._in_words or self._reads_text):
            return answer
        thoughts = Thoughts()
        _, text = thoughts.feed(answer.text)
        return msgspec.structs.replace(answer, text=(text + thoughts.end()).strip())


def _in_words(request: ModelRequest) -> ModelRequest:
    return ModelRequest(system=with_tools(request.system, request.tools), messages=as_text(request.messages))
