"""Claude, or another server that speaks Anthropic's Messages API.

Above: `assemble`, through the factories. Below: the SDK's client, the pure conversion of messages, the step that
reads answers.
"""

import logging
from collections.abc import AsyncIterator
from typing import Any, Final

from cetp_gateway.api import AssistantMessage, ModelEvent, ModelRequest
from cetp_gateway.errors import ModelFailed
from cetp_gateway.models.anthropic_client import AnthropicClient
from cetp_gateway.models.anthropic_events import Counts
from cetp_gateway.models.anthropic_step import AnthropicStep
from cetp_gateway.models.closing import closing
from cetp_gateway.models.completed import Completed
from cetp_gateway.models.failures import Failures
from cetp_gateway.models.messages_anthropic import to_anthropic
from cetp_gateway.models.offered import OfferedTools
from cetp_gateway.models.plain_messages import as_plain_talk
from cetp_gateway.models.thinking import thinking_parameters
from cetp_gateway.models.vendors import ANTHROPIC, Vendor
from cetp_gateway.settings.model import ModelSettings

log = logging.getLogger(__name__)

CACHED: Final = {"type": "ephemeral"}
"""Marks the end of what the vendor may keep: tools, system prompt, and the conversation up to here."""


class AnthropicModel:
    """Implements ModelProvider over the Messages API.

    Args:
        settings: `name`, `max_output_tokens`, `timeout_s` count here. `temperature` is not sent: models
            from Claude 4.7 on refuse it, and the SDK no longer has it.
        base_url: another server's address; empty is Anthropic's own.
        key: empty makes every request to Anthropic itself fail as AUTH.
        vendor: who serves the API.
    """

    def __init__(self, settings: ModelSettings, *, base_url: str, key: str, vendor: Vendor = ANTHROPIC) -> None:
        self._vendor = vendor
        self._settings = settings
        self._model = settings.name or vendor.default_model
        address = base_url or vendor.base_url
        self._failures = Failures(vendor, base_url=address, model=self._model, key=key)
        self._client = AnthropicClient(address, key, settings.timeout_s, self._failures)
        self._tools = OfferedTools(vendor.tools)
        if settings.temperature is not None:
            log.warning("model.temperature is not used: Claude takes none.")

    @property
    def provider(self) -> str:
        return self._vendor.name

    @property
    def model(self) -> str:
        return self._model

    @property
    def left_out(self) -> dict[str, str]:
        """Tools that the newest request went without, each with its reason."""
        return self._tools.left_out

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """One step."""
        step = AnthropicStep(self._model, self._failures, request.messages)
        async with closing(self._client.events(self._parameters(request))) as events:
            while (event := await _next(events, step)) is not None:
                for said in step.take(event):
                    yield said
        yield step.end()

    async def complete(self, request: ModelRequest) -> AssistantMessage:
        """One answer as a whole, without tools."""
        plain = ModelRequest(system=request.system, messages=as_plain_talk(request.messages))
        answer = await self._client.create(self._parameters(plain))
        blocks = answer.get("content")
        texts = [block.get("text") for block in blocks if isinstance(block, dict)] if isinstance(blocks, list) else []
        usage = Counts().updated(answer.get("usage")).usage()
        return Completed("".join(text for text in texts if isinstance(text, str)), usage=usage)

    async def models(self) -> list[str]:
        return await self._client.models()

    async def aclose(self) -> None:
        await self._client.aclose()

    def _parameters(self, request: ModelRequest) -> dict[str, Any]:
        parameters: dict[str, Any] = {
            "model": self._model,
            "max_tokens": self._settings.max_output_tokens,
            "messages": _cached(to_anthropic(request.messages, self._model)),
            "timeout": self._settings.timeout_s,
        }
        if request.system.strip():
            parameters["system"] = [{"type": "text", "text": request.system, "cache_control": CACHED}]
        tools: list[dict[str, Any]] = [
            {"name": tool.name, "description": tool.description, "input_schema": tool.parameters()}
            for tool in self._tools.choose(request.tools)
        ]
        if tools:
            tools[-1]["cache_control"] = CACHED
            parameters["tools"] = tools
        return parameters | thinking_parameters(self._settings.thinking, self._model, self._settings.max_output_tokens)


def _cached(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The conversation so far is kept by the vendor too: the next step begins with the same words."""
    last = messages[-1]["content"][-1] if messages and messages[-1]["role"] == "user" else None
    if last is not None:
        messages[-1]["content"][-1] = {**last, "cache_control": CACHED}
    return messages


async def _next(events: AsyncIterator[dict[str, Any]], step: AnthropicStep) -> dict[str, Any] | None:
    """The next event; None at the end. An answer that is complete survives a broken tail."""
    try:
        return await anext(events, None)
    except ModelFailed:
        if step.finished:
            return None
        raise
