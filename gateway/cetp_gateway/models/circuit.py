"""Leaves a model alone for a while that fails again and again, so that nobody waits for it in vain.

Above: the factories. Below: a model with its retries.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Final

from cetp_gateway.api import AssistantMessage, ModelEvent, ModelProvider, ModelRequest
from cetp_gateway.errors import ModelFailed, ModelFailure
from cetp_gateway.models.around import ModelAround
from cetp_gateway.models.closing import closing

COUNTED: Final = frozenset(
    {ModelFailure.BROKEN_ANSWER, ModelFailure.OVERLOADED, ModelFailure.RATE_LIMITED, ModelFailure.UNREACHABLE}
)
"""Failures that say that the model is unwell; the others say that the request or the settings are."""

Clock = Callable[[], float]


def loop_time() -> float:
    """The event loop's own time, seconds."""
    return asyncio.get_running_loop().time()


class CircuitModel(ModelAround):
    """Implements ModelProvider around another one.

    Args:
        failures: so many failed steps in a row, and the model is left alone.
        pause_s: for so long; then one request tries again while the others are still turned away.
        clock: seconds that only grow.
    """

    def __init__(self, model: ModelProvider, *, failures: int, pause_s: float, clock: Clock = loop_time) -> None:
        super().__init__(model)
        self._limit = failures
        self._pause_s = pause_s
        self._clock = clock
        self._failed = 0
        self._last = ""
        self._closed_until = 0.0
        self._trying = False

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """One step, unless the model is left alone at the moment."""
        trial = self._enter()
        try:
            async with closing(self._inner.stream(request)) as events:
                async for event in events:
                    yield event
        except ModelFailed as failed:
            self._note(failed)
            raise
        else:
            self._failed = 0
        finally:
            self._leave(trial)

    async def complete(self, request: ModelRequest) -> AssistantMessage:
        trial = self._enter()
        try:
            answer = await self._inner.complete(request)
        except ModelFailed as failed:
            self._note(failed)
            raise
        else:
            self._failed = 0
            return answer
        finally:
            self._leave(trial)

    def _enter(self) -> bool:
        """Is this the request that tries again? Raises ModelFailed when the model is left alone."""
        if self._failed < self._limit:
            return False
        left = self._closed_until - self._clock()
        if left > 0 or self._trying:
            raise ModelFailed(
                ModelFailure.UNREACHABLE,
                f"{self.provider} has failed {self._failed} times in a row and is asked again in "
                f"{max(round(left), 1)} s. It last said: {self._last}",
                retry_after_s=max(left, 1.0),
            )
        self._trying = True
        return True

    def _leave(self, trial: bool) -> None:
        self._trying = self._trying and not trial

    def _note(self, failed: ModelFailed) -> None:
        if failed.kind not in COUNTED:
            return
        self._failed += 1
        self._last = failed.message
        self._closed_until = self._clock() + max(self._pause_s, failed.retry_after_s or 0)
