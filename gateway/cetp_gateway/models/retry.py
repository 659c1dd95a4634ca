"""Asks a model again when that is worth it and nobody has seen anything of the answer yet.

Above: `assemble`. Below: any ModelProvider. The waits are tenacity's; what is worth a wait is decided here.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Final, TypeVar

from cetp_gateway.api import AssistantMessage, ModelEvent, ModelProvider, ModelRequest
from cetp_gateway.errors import ModelFailed, ModelFailure
from cetp_gateway.models.around import ModelAround
from cetp_gateway.models.closing import closing

if TYPE_CHECKING:
    from tenacity import RetryCallState

log = logging.getLogger(__name__)

T = TypeVar("T")

WORTH_IT: Final = frozenset(
    {ModelFailure.BROKEN_ANSWER, ModelFailure.OVERLOADED, ModelFailure.RATE_LIMITED, ModelFailure.UNREACHABLE}
)
MAX_WAIT_S: Final = 30.0
"""Longest wait between two attempts. A vendor that asks for more gets no second attempt: the user is told."""
FIRST_WAIT_S: Final = 0.5
JITTER_S: Final = 0.5

Sleep = Callable[[float], Awaitable[None]]


class ReliableModel(ModelAround):
    """Implements ModelProvider around another one.

    Args:
        retries: attempts after the first one; 0 passes every failure on.
        sleep: waits so many seconds.
    """

    def __init__(self, model: ModelProvider, *, retries: int, sleep: Sleep = asyncio.sleep) -> None:
        super().__init__(model)
        self._retries = retries
        self._sleep = sleep

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """One step; from the first event on, a failure is final."""
        first, rest = await self._again(lambda: self._begin(request))
        async with closing(rest):
            yield first
            async for event in rest:
                yield event

    async def _begin(self, request: ModelRequest) -> tuple[ModelEvent, AsyncIterator[ModelEvent]]:
        events = self._inner.stream(request)
        try:
            return await anext(events), events
        except StopAsyncIteration:
            raise ModelFailed(ModelFailure.BROKEN_ANSWER, "The model gave no answer at all. Ask again.") from None
        except BaseException:
            async with closing(events):
                raise

    async def complete(self, request: ModelRequest) -> AssistantMessage:
        return await self._again(lambda: self._inner.complete(request))

    async def _again(self, attempt: Callable[[], Awaitable[T]]) -> T:
        # At the first request: see `anthropic_client`.
        import tenacity  # noqa: PLC0415

        retrying = tenacity.AsyncRetrying(
            stop=tenacity.stop_after_attempt(1 + self._retries),
            retry=tenacity.retry_if_exception(is_worth_it),
            wait=wait_before_next,
            sleep=self._sleep,
            before_sleep=_tell,
            reraise=True,
        )

        async def once() -> T:
            return await attempt()

        return await retrying(once)


def is_worth_it(error: BaseException) -> bool:
    """Another attempt may go better, and soon enough."""
    return isinstance(error, ModelFailed) and error.kind in WORTH_IT and (error.retry_after_s or 0) <= MAX_WAIT_S


def wait_before_next(state: "RetryCallState") -> float:
    """Seconds: the vendor's own wish, else doubling with jitter."""
    error = state.outcome.exception() if state.outcome else None
    wish = error.retry_after_s if isinstance(error, ModelFailed) else None
    if wish is not None:
        return wish
    from tenacity import wait_exponential, wait_random  # noqa: PLC0415

    doubling = wait_exponential(multiplier=FIRST_WAIT_S, max=MAX_WAIT_S)
    return float((doubling + wait_random(0, JITTER_S))(state))


def _tell(state: "RetryCallState") -> None:
    error = state.outcome.exception() if state.outcome else None
    log.warning("The model failed (attempt %d), asking again: %s", state.attempt_number, error)
