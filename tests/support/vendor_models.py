"""Models that talk to the fake vendor, and one question to one of them."""

import asyncio
from collections.abc import Sequence
from typing import Any

from cetp_gateway.api import Message, ModelProvider, ModelRequest, ToolSpec, UserMessage
from cetp_gateway.models import create_model
from cetp_gateway.settings.model import ModelSettings
from support.fake_vendor import FakeVendor
from support.heard import Heard, heard

HELLO: list[Message] = [UserMessage("hello")]


def openai_model(vendor: FakeVendor, provider: str = "openai", **settings: Any) -> ModelProvider:
    """A model behind the chat completions API, without retries."""
    return _model(provider, base_url=f"{vendor.url}/v1", **settings)


def anthropic_model(vendor: FakeVendor, **settings: Any) -> ModelProvider:
    """A model behind the Messages API, without retries."""
    return _model("anthropic", base_url=vendor.url, **{"api_key": "k-1", **settings})


def _model(provider: str, **settings: Any) -> ModelProvider:
    values = {"name": "m", "retries": 0, "timeout_s": 10.0, **settings}
    return create_model(ModelSettings(provider=provider, **values), {})


async def ask(
    model: ModelProvider, messages: Sequence[Message] = HELLO, tools: Sequence[ToolSpec] = (), system: str = "Be brief."
) -> Heard:
    """One step of a model that is closed afterwards."""
    async with asyncio.timeout(20):
        try:
            return await heard(model.stream(ModelRequest(system=system, messages=messages, tools=tools)))
        finally:
            await model.aclose()
