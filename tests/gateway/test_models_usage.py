"""What models use: counted for each request, summed by day, session, tool and model, priced by data with a date."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from cetp_gateway.api import (
    AssistantMessage,
    Message,
    ModelProvider,
    ModelRequest,
    StepEnded,
    ToolResult,
    ToolResults,
    ToolUse,
    Usage,
    UserMessage,
)
from cetp_gateway.errors import BudgetSpent, ModelFailed, ModelFailure
from cetp_gateway.models import OfflineModel, charged_to, create_model, default_factories
from cetp_gateway.models.usage import Meter, Prices, UsageLedger, cost, listed_prices, open_meter
from cetp_gateway.settings import Settings
from cetp_gateway.settings.model import BudgetSettings, ModelSettings, Price, UsageSettings
from cetp_gateway.storage import MIGRATIONS, Database
from cetp_gateway.testing import Hold, ScriptedModel, ScriptedStep
from support.fake_vendor import Drop, FakeVendor, answer, stream
from support.heard import Heard, heard
from support.vendor_streams import ended, openai_text, started, text_block

HELLO = ModelRequest(system="", messages=[UserMessage("hello")])
CHEAP = {"script": Price(input=1.0, output=10.0)}
TODAY = date(2026, 11, 30)


class Clock:
    now = datetime(2026, 11, 30, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await Database.open(tmp_path, MIGRATIONS)
    yield opened
    await opened.close()


@pytest.fixture
def ledger(database: Database) -> UsageLedger:
    return UsageLedger(database)


async def meter(ledger: UsageLedger, clock: Clock | None = None, **budget: Any) -> Meter:
    settings = Settings(
        usage=UsageSettings(prices=CHEAP),
        budget=BudgetSettings(**budget),
        model=ModelSettings(max_output_tokens=100),
    )
    return await open_meter(settings, ledger, clock or Clock())


async def ask(model: ModelProvider, session: str = "s", request: ModelRequest = HELLO) -> Heard:
    with charged_to(session):
        async with asyncio.timeout(20):
            return await heard(model.stream(request))


def used(input_tokens: int, output_tokens: int, text: str = "ok") -> ScriptedStep:
    return ScriptedStep(text=text, usage=Usage(input_tokens, output_tokens))


def reading(*tools: str) -> ModelRequest:
    """A request that reads the results of these tools."""
    calls = tuple(ToolUse(f"c{number}", tool, {}) for number, tool in enumerate(tools))
    results = ToolResults(tuple(ToolResult(call.id, call.name, "1") for call in calls))
    messages: list[Message] = [UserMessage("x"), AssistantMessage("", calls), results]
    return ModelRequest(system="", messages=messages)


async def test_usage_is_summed_by_day_session_and_model(ledger: UsageLedger) -> None:
    clock = Clock()
    model = (await meter(ledger, clock)).on(ScriptedModel([used(1000, 100), used(2000, 0), used(500, 50)]))
    await ask(model, "kitchen")
    await ask(model, "garden")
    clock.now += timedelta(days=1)
    await ask(model, "kitchen")

    days = await ledger.sums("day", TODAY)
    assert [(day.key, day.requests, day.input_tokens, day.output_tokens) for day in days] == [
        ("2026-12-01", 1, 500, 50),
        ("2026-11-30", 2, 3000, 100),
    ]
    assert days[1].cost_usd == pytest.approx(0.004)
    assert {row.key: row.input_tokens for row in await ledger.sums("session", TODAY)} == {
        "kitchen": 1500,
        "garden": 2000,
    }
    assert [(row.key, row.requests) for row in await ledger.sums("model", TODAY)] == [("scripted/script", 3)]
    assert (await ledger.session_total("kitchen")).output_tokens == 150
    assert (await ledger.total(date(2026, 12, 1))).requests == 1


async def test_a_request_that_reads_results_is_what_their_tools_have_cost(ledger: UsageLedger) -> None:
    model = (await meter(ledger)).on(ScriptedModel([used(100, 0), used(3000, 30), used(500, 0)]))
    await ask(model)
    await ask(model, request=reading("notes", "meter", "notes"))
    await ask(model, request=reading("meter"))

    rows = {row.key: row for row in await ledger.sums("tool", TODAY)}
    assert {key: (row.requests, row.input_tokens) for key, row in rows.items()} == {
        "notes": (1, 1500),
        "meter": (2, 2000),
        "": (1, 100),
    }
    assert sum(row.cost_usd for row in rows.values()) == pytest.approx((await ledger.total(TODAY)).cost_usd)


async def test_a_price_that_nobody_knows_is_said_and_not_made_up(ledger: UsageLedger) -> None:
    model = (await meter(ledger)).on(ScriptedModel([used(1, 1)], model="unheard-of"))
    await ask(model)

    total = await ledger.total(TODAY)
    assert (total.requests, total.unpriced, total.cost_usd) == (1, 1, 0.0)


async def test_a_stopped_answer_is_counted_by_estimate(ledger: UsageLedger) -> None:
    hold = Hold()
    model = (await meter(ledger)).on(ScriptedModel([ScriptedStep(text="word " * 30, hold=hold)]))
    asking = asyncio.create_task(ask(model, request=ModelRequest(system="x" * 300, messages=[UserMessage("hello")])))
    async with asyncio.timeout(10):
        await hold.reached.wait()
    asking.cancel()
    await asyncio.wait([asking])

    total = await ledger.total(TODAY)
    assert total.estimated == total.requests == 1
    assert total.input_tokens >= 100
    assert 40 <= total.output_tokens <= 60


async def test_a_server_that_does_not_count_is_counted_by_estimate(ledger: UsageLedger) -> None:
    call = ToolUse("c1", "notes", {"query": "x" * 300})
    model = (await meter(ledger)).on(ScriptedModel([ScriptedStep(text="word " * 30), ScriptedStep(calls=(call,))]))
    await ask(model, "a")
    await ask(model, "b")

    assert (await ledger.total(TODAY)).estimated == 2
    assert 40 <= (await ledger.session_total("a")).output_tokens <= 60
    assert (await ledger.session_total("b")).output_tokens >= 100


async def test_a_request_that_failed_before_it_said_anything_is_not_counted(ledger: UsageLedger) -> None:
    failing = ScriptedStep(fails=ModelFailed(ModelFailure.OVERLOADED, "no"))
    await ask((await meter(ledger)).on(ScriptedModel([failing])))

    assert (await ledger.total(TODAY)).requests == 0


async def test_the_offline_planner_uses_nothing(ledger: UsageLedger) -> None:
    model = (await meter(ledger, usd_per_day=0.0)).on(OfflineModel())
    assert (await ask(model)).ended.message.text
    await model.complete(HELLO)

    assert (await ledger.total(TODAY)).requests == 0


@pytest.mark.parametrize("broken", [False, True])
async def test_the_vendors_own_counts_are_taken(ledger: UsageLedger, broken: bool) -> None:
    """Anthropic's: cached and newly kept input apart. A try that failed before it was not counted."""
    async with FakeVendor() as vendor:
        if broken:
            vendor.will(stream(started(), end=Drop()))
        counts = started(input_tokens=10, cache_read_input_tokens=100, cache_creation_input_tokens=1000)
        vendor.will(stream(counts, text_block(0, "Hello"), ended(output_tokens=7)))
        settings = ModelSettings(provider="anthropic", base_url=vendor.url, api_key="k", retries=1)
        model = default_factories().create(settings, {}, around=(await meter(ledger)).on)
        said = await ask(model)
        await model.aclose()

    assert said.ended.usage == Usage(1110, 7, 100, 1000)
    total = await ledger.total(TODAY)
    assert (total.requests, total.input_tokens, total.output_tokens, total.cached_input_tokens) == (1, 1110, 7, 100)
    assert total.cost_usd == pytest.approx((10 * 2 + 100 * 0.1 + 1000 * 2.5 + 7 * 10) / 1e6)


async def test_each_model_of_a_chain_is_counted_for_itself(ledger: UsageLedger) -> None:
    async with FakeVendor() as vendor:
        vendor.will(answer({"error": {"message": "no"}}, 503), stream(*openai_text("hi")))
        settings = ModelSettings(
            provider="groq",
            name="a",
            base_url=vendor.url,
            api_key="k",
            retries=0,
            fallbacks=(f"ollama/b@{vendor.url}",),
        )
        model = default_factories().create(settings, {}, around=(await meter(ledger)).on)
        await ask(model)
        await model.aclose()

    rows = await ledger.sums("model", TODAY)
    assert [(row.key, row.input_tokens, row.cost_usd, row.unpriced) for row in rows] == [("ollama/b", 11, 0.0, 0)]


async def test_titles_are_counted_too(ledger: UsageLedger) -> None:
    whole = {"choices": [{"message": {"content": "T"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 9}}
    async with FakeVendor() as vendor:
        vendor.will(answer(whole))
        settings = ModelSettings(provider="openai", name="m", base_url=vendor.url)
        model = default_factories().create(settings, {}, around=(await meter(ledger)).on)
        await model.complete(HELLO)
        await model.aclose()

    total = await ledger.total(TODAY)
    assert (total.input_tokens, total.estimated) == (9, 0)


async def test_old_figures_are_removed(ledger: UsageLedger) -> None:
    clock = Clock()
    await ask((await meter(ledger, clock)).on(ScriptedModel([used(1, 1)])))
    clock.now += timedelta(days=401)

    await meter(ledger, clock)

    assert (await ledger.total(TODAY)).requests == 0


# ---------------------------------------------------------------------------------------------------------------------
# Budget


@pytest.mark.parametrize("setting", ["usd_per_session", "usd_per_day", "usd_per_month"])
async def test_a_budget_stops_before_a_request_that_could_go_over_it(ledger: UsageLedger, setting: str) -> None:
    """One request may cost 100 output tokens, a tenth of a cent."""
    script = ScriptedModel([used(0, 100)] * 10)
    model = (await meter(ledger, None, **{setting: 0.0035})).on(script)
    for _ in range(3):
        assert (await ask(model)).text == "ok"

    with pytest.raises(BudgetSpent, match=rf"budget\.{setting}") as spent:
        await ask(model)

    assert spent.value.code == "BUDGET_EXCEEDED"
    assert len(script.requests) == 3
    assert (await ledger.total(TODAY)).cost_usd <= 0.0035


async def test_tokens_have_a_budget_of_their_own(ledger: UsageLedger) -> None:
    model = (await meter(ledger, tokens_per_day=350)).on(ScriptedModel([used(10, 90)] * 4))
    await ask(model)
    await ask(model)

    with pytest.raises(BudgetSpent, match=r"200 of 350 tokens.*budget\.tokens_per_day"):
        await ask(model, request=ModelRequest(system="x" * 300, messages=[UserMessage("hello")]))


async def test_requests_at_the_same_time_cannot_go_over_it_together(ledger: UsageLedger) -> None:
    hold = Hold()
    script = ScriptedModel([ScriptedStep(text="ok", hold=hold, usage=Usage(0, 100))] * 5)
    model = (await meter(ledger, usd_per_day=0.0025)).on(script)
    running = [asyncio.create_task(ask(model, f"s{number}")) for number in range(5)]
    done, waiting = await asyncio.wait(running, timeout=10, return_when=asyncio.FIRST_EXCEPTION)
    async with asyncio.timeout(10):
        while len(done) < 3:
            more, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            done |= more
    hold.released.set()
    results = await asyncio.gather(*running, return_exceptions=True)

    assert sum(isinstance(result, BudgetSpent) for result in results) == 3
    assert len(script.requests) == 2
    assert (await ledger.total(TODAY)).cost_usd <= 0.0025


async def test_what_was_set_aside_and_not_used_comes_back(ledger: UsageLedger) -> None:
    failing = ScriptedStep(fails=ModelFailed(ModelFailure.OVERLOADED, "no"))
    model = (await meter(ledger, usd_per_day=0.0015)).on(ScriptedModel([failing, failing, used(0, 1)]))
    for _ in range(2):
        assert (await ask(model)).failure.kind is ModelFailure.OVERLOADED

    assert (await ask(model)).text == "ok"


async def test_a_budget_outlives_a_restart(ledger: UsageLedger) -> None:
    await ask((await meter(ledger)).on(ScriptedModel([used(0, 100)])))

    again = (await meter(ledger, usd_per_day=0.0015)).on(ScriptedModel([used(0, 100)]))

    with pytest.raises(BudgetSpent, match="today"):
        await ask(again)


async def test_a_new_day_has_a_new_budget_and_a_month_counts_its_days(ledger: UsageLedger) -> None:
    clock = Clock()
    clock.now -= timedelta(days=2)
    script = ScriptedModel([used(0, 100)] * 9)
    model = (await meter(ledger, clock, usd_per_day=0.0015, usd_per_month=0.0025)).on(script)
    await ask(model)
    with pytest.raises(BudgetSpent, match="today"):
        await ask(model)
    clock.now += timedelta(days=1)
    await ask(model)
    clock.now += timedelta(days=1)
    with pytest.raises(BudgetSpent, match="this month"):
        await ask(model)
    clock.now += timedelta(days=1)
    assert (await ask(model)).text == "ok"


async def test_one_sessions_budget_is_not_anothers(ledger: UsageLedger) -> None:
    model = (await meter(ledger, usd_per_session=0.0015)).on(ScriptedModel([used(0, 100)] * 3))
    await ask(model, "a")
    assert (await ask(model, "b")).text == "ok"
    with pytest.raises(BudgetSpent, match="this session"):
        await ask(model, "a")


async def test_a_budget_in_dollars_asks_for_a_price_that_it_does_not_know(ledger: UsageLedger) -> None:
    script = ScriptedModel([used(1, 1)], model="unheard-of")
    with pytest.raises(BudgetSpent, match=r'\[usage\.prices\] "unheard-of"'):
        await ask((await meter(ledger, usd_per_day=1.0)).on(script))
    assert script.requests == []


async def test_side_work_is_held_to_the_budget_too(ledger: UsageLedger) -> None:
    model = (await meter(ledger, usd_per_day=0.0)).on(ScriptedModel([], completions=["T"]))
    with pytest.raises(BudgetSpent):
        await model.complete(HELLO)


# ---------------------------------------------------------------------------------------------------------------------
# Prices


@pytest.mark.parametrize(
    ("usage", "dollars"),
    [
        (Usage(1_000_000, 0), 2.0),
        (Usage(0, 1_000_000), 10.0),
        (Usage(1_000_000, 0, 1_000_000), 0.1),
        (Usage(1_000_000, 0, 400_000, 400_000), 0.4 + 0.04 + 1.0),
        (Usage(10, 0, 50), 50 * 0.1 / 1e6),
    ],
)
def test_cached_input_has_its_own_price(usage: Usage, dollars: float) -> None:
    price = Price(input=2.0, output=10.0, cached_input=0.1, cache_write=2.5)

    assert cost(usage, price) == pytest.approx(dollars)


def test_long_requests_cost_more_as_a_whole() -> None:
    price = Price(input=1.0, output=2.0, cached_input=0.1, long_from=1000, long_input=2.0, long_output=3.0)

    assert cost(Usage(1000, 10), price) == pytest.approx((1000 + 20) / 1e6)
    assert cost(Usage(1001, 10, 1), price) == pytest.approx((2000 + 0.2 + 30) / 1e6)


@pytest.mark.parametrize(
    ("provider", "model", "output"),
    [
        ("anthropic", "claude-sonnet-5-5", 10.0),
        ("bedrock", "anthropic.claude-opus-4-6", 25.0),
        ("openrouter", "anthropic/claude-haiku-4-5", 5.0),
        ("openai", "gpt-6-luna", 0.5),
        ("deepseek", "deepseek-flash", 1.2),
        ("groq", "openai/gpt-oss-120b", None),
    ],
)
def test_the_table_knows_the_default_models_of_the_dearest_vendors(
    provider: str, model: str, output: float | None
) -> None:
    found = Prices({}).of(provider, model)

    assert (found.output if found else None) == output


def test_the_owners_prices_go_before_the_table() -> None:
    own = {"groq/*": Price(input=1.0, output=2.0), "claude-*": Price(input=0.0, output=0.0)}

    assert Prices(own).of("anthropic", "claude-sonnet-5-5") == Price(input=0.0, output=0.0)
    assert Prices(own).of("groq", "x") == Price(input=1.0, output=2.0)


def test_every_price_has_its_day_and_no_row_hides_behind_another() -> None:
    rows = listed_prices()

    assert all(date(2026, 1, 1) <= row.as_of for row in rows)
    for row in rows:
        example = row.model.strip("*").replace("[12]", "1").replace("[45]", "4")
        assert Prices({}).of(*(example.split("/") if "/" in example else ("x", example))) is row


async def test_the_step_that_was_paid_for_arrives_even_when_its_row_cannot_be_stored(tmp_path: Path) -> None:
    database = await Database.open(tmp_path, MIGRATIONS)
    ledger = UsageLedger(database)
    model = (await meter(ledger)).on(ScriptedModel([used(1, 1)]))
    await database.write(lambda connection: connection.execute("DROP TABLE model_usage"))

    said = await ask(model)
    await database.close()

    assert isinstance(said.events[-1], StepEnded)


def test_a_model_made_without_a_meter_is_not_counted() -> None:
    assert create_model(ModelSettings(provider="offline"), {}).provider == "offline"
