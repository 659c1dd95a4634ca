"""`/api/cost`: what models have used and cost. The object `cost` is the one that ClawSeed clients know."""

from datetime import date, datetime, timedelta
from typing import Annotated

import msgspec
from msgspec import Meta

from cetp_gateway.models import UsageSum
from cetp_gateway.server.rest.one_session import SESSION_ID
from cetp_gateway.server.rest.routes import Asked, Parameter, Route, matching

DAYS = 30
_SHOWN = 100


class ModelCost(msgspec.Struct, frozen=True):
    """One model's part."""

    model: str
    """PROVIDER/MODEL."""
    cost_usd: float
    total_tokens: int
    request_count: int


class CostSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Sums in US dollars, as far as prices are known."""

    session_cost_usd: float
    """Of the session that was asked for; 0 without one."""
    daily_cost_usd: float
    """Today."""
    monthly_cost_usd: float
    """This month."""
    total_tokens: int
    """Of the days asked for, as everything below."""
    request_count: int
    by_model: dict[str, ModelCost]


class BudgetLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The owner's limits; null where there is none."""

    usd_per_session: float | None
    usd_per_day: float | None
    usd_per_month: float | None
    tokens_per_day: int | None


class CostReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about cost: the days newest first, the rest dearest first."""

    cost: CostSummary
    since: date
    days: list[UsageSum]
    sessions: list[UsageSum]
    tools: list[UsageSum]
    """What the requests cost that read a tool's results; the empty key stands for those that read none."""
    models: list[UsageSum]
    budget: BudgetLimits


async def show(asked: Asked[None]) -> CostReport:
    runtime = asked.service.runtime
    usage, today = runtime.usage, datetime.now().astimezone().date()
    since = today - timedelta(days=asked.parameters.get("days", DAYS) - 1)
    session = asked.parameters.get("session_id")
    models = await usage.sums("model", since, _SHOWN)
    whole = await usage.total(since)
    limits = runtime.settings.budget
    return CostReport(
        cost=CostSummary(
            session_cost_usd=(await usage.session_total(session)).cost_usd if session else 0.0,
            daily_cost_usd=(await usage.total(today)).cost_usd,
            monthly_cost_usd=(await usage.total(today.replace(day=1))).cost_usd,
            total_tokens=_tokens(whole),
            request_count=whole.requests,
            by_model={row.key: ModelCost(row.key, row.cost_usd, _tokens(row), row.requests) for row in models},
        ),
        since=since,
        days=await usage.sums("day", since, _SHOWN),
        sessions=await usage.sums("session", since, _SHOWN),
        tools=await usage.sums("tool", since, _SHOWN),
        models=models,
        budget=BudgetLimits(
            usd_per_session=limits.usd_per_session,
            usd_per_day=limits.usd_per_day,
            usd_per_month=limits.usd_per_month,
            tokens_per_day=limits.tokens_per_day,
        ),
    )


def _tokens(row: UsageSum) -> int:
    return row.input_tokens + row.output_tokens


ROUTES = (
    Route(
        method="GET",
        path="/api/cost",
        summary="What the models have used and cost",
        handler=show,
        parameters=(
            Parameter(
                name="days",
                where="query",
                type=Annotated[int, Meta(ge=1, le=400)],
                description=f"Days up to today, {DAYS} when left out",
            ),
            Parameter(name="session_id", where="query", type=Annotated[str, matching(SESSION_ID)]),
        ),
        responses={200: CostReport},
        refusals=(503,),
    ),
)
