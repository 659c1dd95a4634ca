"""A model around another one: what all such have in common.

Above: `retry`, `circuit`, `fallback`, `tool_text`, `usage`. Below: api.
"""

from cetp_gateway.api import ModelProvider


class ModelAround:
    """Goes by the name of the model inside; what it does besides is up to `stream` and `complete`."""

    def __init__(self, model: ModelProvider) -> None:
        self._inner = model

    @property
    def provider(self) -> str:
        return self._inner.provider

    @property
    def model(self) -> str:
        return self._inner.model

    @property
    def left_out(self) -> dict[str, str]:
        """Tools that the newest request went without, each with its reason."""
        reasons: dict[str, str] = getattr(self._inner, "left_out", {})
        return reasons

    async def models(self) -> list[str]:
        return await self._inner.models()

    async def aclose(self) -> None:
        await self._inner.aclose()
