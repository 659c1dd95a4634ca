"""Counts what a model uses, and asks the budget before each request.

Above: the factories, `assemble`. Below: any ModelProvider; `ledger` keeps the rows, `budget` the limits.
"""

import logging
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Final

import msgspec

from cetp_gateway.api import (
    AssistantMessage,
    ModelEvent,
    ModelProvider,
    ModelRequest,
    StepEnded,
    TextDelta,
    ThinkingDelta,
    ToolResults,
    Usage,
)
from cetp_gateway.errors import BudgetSpent, ModelFailed, StorageError
from cetp_gateway.models.around import ModelAround
from cetp_gateway.models.closing import closing
from cetp_gateway.models.completed import Completed
from cetp_gateway.models.usage.budget import Amount, Budget, Clock, SetAside, local_time
from cetp_gateway.models.usage.charging import charged_session
from cetp_gateway.models.usage.estimates import tokens_of_request, tokens_of_text
from cetp_gateway.models.usage.ledger import UsageLedger, UsedRow
from cetp_gateway.models.usage.prices import FREE, Prices, cost
from cetp_gateway.settings.model import Price
from cetp_gateway.settings.schema import Settings

log = logging.getLogger(__name__)

NOTHING: Final = Usage()


class Meter:
    """Puts a counter on models; all of one gateway share its budget.

    Args:
        max_output_tokens: what one request may write at most.
    """

    def __init__(
        self,
        ledger: UsageLedger,
        budget: Budget,
        prices: Prices,
        *,
        max_output_tokens: int,
        clock: Clock = local_time,
    ) -> None:
        self._ledger = ledger
        self._budget = budget
        self._prices = prices
        self._max_output = max_output_tokens
        self._clock = clock

    def use(self, settings: Settings) -> None:
        """Take over a new budget, prices and output limit; what was spent stays spent."""
        self._budget.use(settings.budget)
        self._prices = Prices(settings.usage.prices)
        self._max_output = settings.model.max_output_tokens

    def on(self, model: ModelProvider) -> ModelProvider:
        """The model with the counter on it; one that uses no tokens stays as it is."""
        return model if getattr(model, "uses_no_tokens", False) else MeteredModel(model, self)

    def price(self, model: ModelProvider) -> Price | None:
        """None when it is not known."""
        found = self._prices.of(model.provider, model.model)
        return FREE if found is None and getattr(model, "costs_nothing", False) else found

    async def before(self, model: ModelProvider, request: ModelRequest) -> SetAside:
        """Set aside what the request may cost; raises BudgetSpent."""
        if not self._budget.has_limits:
            return await self._budget.set_aside(charged_session(), Amount())
        price = self.price(model)
        if price is None and self._budget.counts_money:
            raise BudgetSpent(
                f"There is a budget in dollars, and the price of {model.provider}/{model.model} is not known. "
                f'Set it, for instance: [usage.prices] "{model.model}" = {{ input = 1.0, output = 5.0 }}.'
            )
        most = Usage(tokens_of_request(request), self._max_output)
        return await self._budget.set_aside(charged_session(), _amount(most, price))

    async def after(
        self, model: ModelProvider, request: ModelRequest, aside: SetAside, usage: Usage, *, estimated: bool
    ) -> None:
        """The request has ended: count it."""
        price = self.price(model)
        self._budget.settle(aside, _amount(usage, price))
        if usage == NOTHING:
            return
        row = UsedRow(
            at=self._clock(),
            session_id=aside.session_id,
            provider=model.provider,
            model=model.model,
            usage=usage,
            cost_usd=None if price is None else cost(usage, price),
            estimated=estimated,
            tools=_answered_tools(request),
        )
        try:
            await self._ledger.add(row)
        except StorageError as error:
            # The budget has counted it; an answer that was paid for must not be lost for a row.
            log.error("what a request has used could not be stored: %s", error)  # noqa: TRY400


async def open_meter(settings: Settings, ledger: UsageLedger, clock: Clock = local_time) -> Meter:
    """The gateway's meter; figures that are too old are removed. Raises StorageError."""
    await ledger.forget_before(clock().date() - timedelta(days=settings.usage.keep_days))
    return Meter(
        ledger,
        Budget(settings.budget, ledger, clock),
        Prices(settings.usage.prices),
        max_output_tokens=settings.model.max_output_tokens,
        clock=clock,
    )


class MeteredModel(ModelAround):
    """Implements ModelProvider around another one."""

    def __init__(self, model: ModelProvider, meter: Meter) -> None:
        super().__init__(model)
        self._meter = meter

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """One step. One that is stopped or breaks off after it has begun is counted by estimate."""
        aside = await self._meter.before(self._inner, request)
        counting = _Counting()
        try:
            async with closing(self._inner.stream(request)) as events:
                async for event in events:
                    counting.hear(event)
                    if isinstance(event, StepEnded):
                        break
                    yield event
        except ModelFailed:
            counting.failed = True
            raise
        finally:
            usage, estimated = counting.usage(request)
            await self._meter.after(self._inner, request, aside, usage, estimated=estimated)
        if counting.ended is not None:
            yield counting.ended

    async def complete(self, request: ModelRequest) -> AssistantMessage:
        aside = await self._meter.before(self._inner, request)
        counting = _Counting()
        try:
            answer = await self._inner.complete(request)
            counting.take(answer)
        except ModelFailed:
            counting.failed = True
            raise
        else:
            return answer
        finally:
            usage, estimated = counting.usage(request)
            await self._meter.after(self._inner, request, aside, usage, estimated=estimated)


class _Counting:
    """What one request has used."""

    def __init__(self) -> None:
        self.ended: StepEnded | None = None
        self.failed = False
        self._heard: list[str] = []
        self._counted = NOTHING

    def hear(self, event: ModelEvent) -> None:
        if isinstance(event, TextDelta | ThinkingDelta):
            self._heard.append(event.text)
            return
        self.ended, self._counted = event, event.usage
        if event.message.calls:
            self._heard.append(msgspec.json.encode(event.message.calls).decode())

    def take(self, answer: AssistantMessage) -> None:
        """A whole answer. Models of others may not say what it took."""
        if isinstance(answer, Completed):
            self._counted = answer.usage
        self._heard.append(answer.text)

    def usage(self, request: ModelRequest) -> tuple[Usage, bool]:
        """Tokens, and whether they are an estimate: some servers do not count, and a stopped answer is not counted.
        Nothing for a request that failed before it said anything.
        """
        if self._counted != NOTHING or (self.failed and not self._heard):
            return self._counted, False
        return Usage(tokens_of_request(request), tokens_of_text("".join(self._heard))), True


def _amount(usage: Usage, price: Price | None) -> Amount:
    return Amount(0.0 if price is None else cost(usage, price), usage.input_tokens + usage.output_tokens)


def _answered_tools(request: ModelRequest) -> tuple[str, ...]:
    """The tools whose results the request reads for the first time."""
    last = request.messages[-1] if request.messages else None
    return tuple(sorted({result.name for result in last.results})) if isinstance(last, ToolResults) else ()
