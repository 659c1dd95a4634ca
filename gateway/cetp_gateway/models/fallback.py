"""Several models in order: the next one is asked when one fails before it has said anything.

A step that has begun to be shown is never asked for again elsewhere, and a tool that has run is in the conversation
that the next model gets. Above: the factories.
"""

import logging
from collections.abc import AsyncIterator, Sequence

import msgspec

from cetp_gateway.api import AssistantMessage, ModelEvent, ModelProvider, ModelRequest
from cetp_gateway.errors import ModelFailed, SettingsError
from cetp_gateway.models.around import ModelAround
from cetp_gateway.models.closing import closing
from cetp_gateway.settings.model import ModelSettings

log = logging.getLogger(__name__)


class FallbackModel(ModelAround):
    """Implements ModelProvider over a chain of them; names and lists are those of the first."""

    def __init__(self, models: Sequence[ModelProvider]) -> None:
        super().__init__(models[0])
        self._models = models

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """One step of the first model that has something to say."""
        failures: list[ModelFailed] = []
        for model in self._models:
            begun = False
            try:
                async with closing(model.stream(request)) as events:
                    async for event in events:
                        begun = True
                        yield event
            except ModelFailed as failed:
                if begun:
                    raise
                self._note(model, failed, failures)
            else:
                return
        raise _all(failures)

    async def complete(self, request: ModelRequest) -> AssistantMessage:
        failures: list[ModelFailed] = []
        for model in self._models:
            try:
                return await model.complete(request)
            except ModelFailed as failed:
                self._note(model, failed, failures)
        raise _all(failures)

    async def aclose(self) -> None:
        for model in self._models:
            await model.aclose()

    def _note(self, model: ModelProvider, failed: ModelFailed, failures: list[ModelFailed]) -> None:
        failures.append(failed)
        if len(failures) < len(self._models):
            log.warning("%s %s failed, asking the next model: %s", model.provider, model.model, failed)


def _all(failures: Sequence[ModelFailed]) -> ModelFailed:
    """The first one's failure, for it is the one to mend."""
    first = failures[0]
    words = f"{first.message} The fallbacks failed too; the last one: {failures[-1].message}"
    return ModelFailed(first.kind, words if len(failures) > 1 else first.message, retry_after_s=first.retry_after_s)


def chain_of(settings: ModelSettings) -> list[ModelSettings]:
    """The settings of every model of the chain, the first one's own first; raises SettingsError."""
    return [settings, *(_of_fallback(written, settings) for written in settings.fallbacks)]


def _of_fallback(written: str, settings: ModelSettings) -> ModelSettings:
    named, _, address = written.partition("@")
    provider, _, name = named.strip().partition("/")
    if not provider:
        raise SettingsError(f"model.fallbacks: {written!r} names no provider. Write it as PROVIDER/MODEL.")
    same = provider.lower() == settings.provider.strip().lower()
    return msgspec.structs.replace(
        settings,
        provider=provider,
        name=name,
        base_url=address or (settings.base_url if same else ""),
        api_key=settings.api_key if same else "",
        fallbacks=(),
    )
