"""`cetp tools`: what the connected phones offer."""

from typing import Any

import click
import msgspec

from cetp_gateway.cli.gateway_client import GatewayAt, GatewayClient, gateway_option, json_option, token_option


@click.command("tools", epilog="Example: cetp tools --quarantined")
@click.option("--quarantined", is_flag=True, help="Only tools that are offered to nobody, each with its reason.")
@gateway_option
@token_option
@json_option
def tools_command(quarantined: bool, gateway: GatewayAt, token: str, as_json: bool) -> None:
    """List the tools of all connected phones, with what became of each when it was registered."""
    query = {"quarantined": "1"} if quarantined else {}
    answer = GatewayClient(gateway, token).request("GET", "/api/tools", params=query)
    if as_json:
        click.echo(msgspec.json.encode(answer))
    elif answer["tools"]:
        _print(answer["tools"])
    else:
        click.echo("No tool is quarantined." if quarantined else "No phone offers tools now. Try one: cetp phone")


def _print(rows: list[dict[str, Any]]) -> None:
    from rich.console import Console  # noqa: PLC0415  (50 ms that --json need not pay)
    from rich.table import Table  # noqa: PLC0415

    table = Table("tool", "state", "from", "what it does", box=None, pad_edge=False)
    for row in rows:
        origin = " ".join(part for part in (row.get("device", ""), row.get("app", "")) if part) or row["source_type"]
        table.add_row(row["name"] or row["wire_name"], row["state"], origin, _said(row))
    Console(highlight=False).print(table)


def _said(row: dict[str, Any]) -> str:
    text = " ".join(row["description"].split())
    return f"{row['reason']} ({text})" if row.get("reason") else text
