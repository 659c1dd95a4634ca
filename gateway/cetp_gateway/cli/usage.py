"""`cetp usage`: what the models have used and cost."""

from collections.abc import Mapping
from typing import Any, Final

import click
import msgspec

from cetp_gateway.cli.gateway_client import GatewayAt, GatewayClient, gateway_option, json_option, token_option

GROUPINGS: Final = {"day": "days", "session": "sessions", "tool": "tools", "model": "models"}


@click.command("usage", epilog="Example: cetp usage --by tool --days 7")
@click.option("--by", type=click.Choice(list(GROUPINGS)), default="day", show_default=True, help="One line for each.")
@click.option(
    "--days", type=click.IntRange(1, 400), default=30, show_default=True, help="How far back, today included."
)
@gateway_option
@token_option
@json_option
def usage_command(by: str, days: int, gateway: GatewayAt, token: str, as_json: bool) -> None:
    """Show tokens and cost by day, session, tool or model, and what is left of the budget.

    A tool's share is what the requests cost that read its results. Costs are in US dollars, by the prices that come
    with the program or stand in [usage.prices].
    """
    answer = GatewayClient(gateway, token).request("GET", "/api/cost", params={"days": days})
    if as_json:
        click.echo(msgspec.json.encode(answer))
        return
    rows = answer[GROUPINGS[by]]
    if not rows:
        click.echo("No model has been asked yet.")
    else:
        _print(by, rows)
    for line in _summary(answer):
        click.echo(line)


def _print(by: str, rows: list[Mapping[str, Any]]) -> None:
    from rich.console import Console  # noqa: PLC0415  (50 ms that --json need not pay)
    from rich.table import Table  # noqa: PLC0415

    table = Table(by, box=None, pad_edge=False)
    for heading in ("requests", "input", "cached", "output", "cost"):
        table.add_column(heading, justify="right")
    for row in rows:
        numbers = (f"{row[key]:,}" for key in ("requests", "input_tokens", "cached_input_tokens", "output_tokens"))
        table.add_row(row["key"] or "(none)", *numbers, _cost(row))
    Console(highlight=False).print(table)


def _cost(row: Mapping[str, Any]) -> str:
    if row["unpriced"] == row["requests"]:
        return "not known"
    more = " + not known" if row["unpriced"] else ""
    return f"{'~' if row['estimated'] else ''}${row['cost_usd']:.4f}{more}"


def _summary(answer: Mapping[str, Any]) -> list[str]:
    cost, budget = answer["cost"], answer["budget"]
    lines = [
        _of("Today", cost["daily_cost_usd"], budget["usd_per_day"]),
        _of("This month", cost["monthly_cost_usd"], budget["usd_per_month"]),
    ]
    if any(row["unpriced"] for row in answer["models"]):
        lines.append(
            'Prices that are not known can be set in cetp.toml: [usage.prices] "MODEL" = { input = …, output = … }'
        )
    return lines


def _of(span: str, spent: float, limit: float | None) -> str:
    return f"{span}: ${spent:.2f}" + (f" of ${limit:.2f}" if limit is not None else "")
