"""The model in force: one name for everybody, behind which the settings may put another model.

Whoever is in the middle of something keeps the model that it began with; a replaced one is closed when its last user
has ended. Above: `assemble`. Below: any ModelProvider.
"""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from cetp_gateway.api import AssistantMessage, ModelEvent, ModelProvider, ModelRequest
from cetp_gateway.models.around import ModelAround
from cetp_gateway.models.closing import closing

_log = logging.getLogger(__name__)


class _Held:
    """A model and how many are using it."""

    __slots__ = ("model", "replaced", "users")

    def __init__(self, model: ModelProvider) -> None:
        self.model = model
        self.users = 0
        self.replaced = False


class CurrentModel(ModelAround):
    """Implements ModelProvider with whatever model is in force."""

    def __init__(self, model: ModelProvider) -> None:
        super().__init__(model)
        self._held = _Held(model)

    @asynccontextmanager
    async def in_use(self) -> AsyncIterator[ModelProvider]:
        """The model in force now, kept open to the end of the block, whatever the settings become."""
        held = self._held
        held.users += 1
        try:
            yield held.model
        finally:
            held.users -= 1
            if held.replaced and not held.users:
                await _close(held.model)

    async def replace(self, model: ModelProvider) -> None:
        """Put another model in force, at once for all that begins from now on."""
        old, self._held = self._held, _Held(model)
        self._inner = model
        old.replaced = True
        if not old.users:
            await _close(old.model)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """One step of the model in force when it begins."""
        async with self.in_use() as model, closing(model.stream(request)) as events:
            async for event in events:
                yield event

    async def complete(self, request: ModelRequest) -> AssistantMessage:
        async with self.in_use() as model:
            return await model.complete(request)

    async def models(self) -> list[str]:
        async with self.in_use() as model:
            return await model.models()


async def _close(model: ModelProvider) -> None:
    """A replaced model that cannot be closed well must not cost the turn that ends with it."""
    try:
        await model.aclose()
    except Exception:  # noqa: BLE001
        _log.exception("the model that was replaced could not be closed")
