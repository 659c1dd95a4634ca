"""Any endpoint that speaks the chat completions API: OpenAI, Ollama, DeepSeek, Groq, Gemini's and many others.

Above: `assemble`, through the factories. Below: HTTP, the pure conversion of messages, the step that reads answers.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

import msgspec

from cetp_gateway.api import AssistantMessage, Message, ModelEvent, ModelRequest, ToolSpec
from cetp_gateway.errors import ModelFailed, ModelFailure
from cetp_gateway.models.closing import closing
from cetp_gateway.models.completed import Completed
from cetp_gateway.models.failures import Failures
from cetp_gateway.models.messages_openai import to_openai
from cetp_gateway.models.offered import OfferedTools
from cetp_gateway.models.openai_chunks import Chunk, decode_chunk
from cetp_gateway.models.openai_http import TAIL_TIMEOUT_S, OpenAIHttp
from cetp_gateway.models.openai_step import OpenAIStep
from cetp_gateway.models.plain_messages import as_plain_talk
from cetp_gateway.models.thinking import reasoning_effort
from cetp_gateway.models.vendors import COMPATIBLE, Vendor
from cetp_gateway.settings.model import ModelSettings

DONE: Final = "[DONE]"
CHAT: Final = "/chat/completions"
MAX_LISTED: Final = 1000


class _ListedModel(msgspec.Struct):
    id: str


class _ModelList(msgspec.Struct):
    data: list[_ListedModel] | None = None


class OpenAIModel:
    """Implements ModelProvider over the chat completions API.

    Args:
        vendor: whose server it is.
        settings: `name`, `temperature`, `max_output_tokens`, `timeout_s` count here.
        base_url: address up to and without `/chat/completions`.
        key: empty when the server wants none.
    """

    def __init__(self, vendor: Vendor, settings: ModelSettings, *, base_url: str, key: str) -> None:
        self._vendor = vendor
        self._settings = settings
        self._model = settings.name or vendor.default_model
        self._failures = Failures(vendor, base_url=base_url, model=self._model, key=key)
        self._http = OpenAIHttp(base_url, key, settings.timeout_s, self._failures)
        self._tools = OfferedTools(vendor.tools)

    @property
    def provider(self) -> str:
        return self._vendor.name

    @property
    def model(self) -> str:
        """Empty until the first request when the server chooses."""
        return self._model

    @property
    def leaves_calls_in_text(self) -> bool:
        """Programs on one's own machine do so when they do not know the model's format."""
        return self._vendor.own_server

    @property
    def costs_nothing(self) -> bool:
        """A program on one's own machine; what stands behind a compatible server elsewhere is not known."""
        return self._vendor.own_server and (self._vendor is not COMPATIBLE or self._http.is_local)

    @property
    def left_out(self) -> dict[str, str]:
        """Tools that the newest request went without, each with its reason."""
        return self._tools.left_out

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """One step. A server that answers without streaming is understood as well."""
        step = OpenAIStep(self._vendor, await self._chosen(), self._failures, request.messages)
        body = self._body(request.system, request.messages, request.tools, streams=True)
        async with closing(self._http.events(CHAT, body)) as events:
            while (data := await self._next(events, step)) is not None:
                for event in step.take(self._chunk(data)):
                    yield event
        yield step.end()

    async def _next(self, events: AsyncIterator[str], step: OpenAIStep) -> str | None:
        """The data of the next event; None at the end. An answer that is complete does not need its tail."""
        try:
            async with asyncio.timeout(TAIL_TIMEOUT_S if step.finished else None):
                async for data in events:
                    if data.strip() == DONE:
                        return None
                    if data.strip():
                        return data
        except TimeoutError:
            return None
        except ModelFailed:
            if not step.finished:
                raise
        return None

    def _chunk(self, data: str | bytes) -> Chunk:
        try:
            return decode_chunk(data)
        except msgspec.DecodeError as error:
            raise self._failures.broken("is not what the chat completions API sends") from error

    async def complete(self, request: ModelRequest) -> AssistantMessage:
        """One answer as a whole, without tools."""
        step = OpenAIStep(self._vendor, await self._chosen(), self._failures, request.messages)
        body = self._body(request.system, as_plain_talk(request.messages), (), streams=False)
        chunk = self._chunk(await self._http.post(CHAT, body))
        for _ in step.take(chunk):
            continue
        ended = step.end()
        return Completed(ended.message.text, usage=ended.usage)

    async def models(self) -> list[str]:
        body = await self._http.get("/models")
        try:
            listed = msgspec.json.decode(body, type=_ModelList).data or []
        except (msgspec.DecodeError, RecursionError) as error:
            raise self._failures.broken("is no list of models") from error
        return [model.id for model in listed[:MAX_LISTED]]

    async def aclose(self) -> None:
        await self._http.aclose()

    async def _chosen(self) -> str:
        """The model's id; on a server of one's own the first one listed, when none is set."""
        if not self._model:
            listed = await self.models()
            if not listed:
                raise ModelFailed(
                    ModelFailure.SETUP, f"{self._vendor.title} has no model yet. Install one, or set model.name."
                )
            self._model = self._failures.model = listed[0]
        return self._model

    def _body(
        self, system: str, messages: Sequence[Message], tools: Sequence[ToolSpec], *, streams: bool
    ) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": to_openai(system, messages, self._vendor, self._model),
            "stream": streams,
            self._vendor.limit_field: self._settings.max_output_tokens,
        }
        if streams and self._vendor.asks_for_usage:
            body["stream_options"] = {"include_usage": True}
        if self._settings.temperature is not None:
            body["temperature"] = self._settings.temperature
        if self._vendor.takes_effort:
            body |= reasoning_effort(self._settings.thinking)
        if offered := self._tools.choose(tools):
            if self._vendor.calls_whole:
                body |= {"tool_choice": "auto", "stream": False}
                body.pop("stream_options", None)
            body["tools"] = [
                {
                    "type": "function",
                    "function": {"name": tool.name, "description": tool.description, "parameters": tool.schema},
                }
                for tool in offered
            ]
        return body
