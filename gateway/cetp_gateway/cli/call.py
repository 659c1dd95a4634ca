"""`cetp call`: use one tool, without a model."""

import sys
from typing import Any
from urllib.parse import quote

import click
import msgspec

from cetp_gateway.cli.gateway_client import GatewayAt, GatewayClient, gateway_option, json_option, token_option

LONGEST_WAIT_S = 3600.0
"""Without --timeout the gateway's own limit holds, which the command does not know."""
MARGIN_S = 5.0
"""The gateway's own answer to a call that timed out takes a moment as well."""


@click.command("call", epilog="""Example: cetp call notes__search_notes '{"text": "rent"}'""")
@click.argument("tool")
@click.argument("arguments", default="{}")
@click.option(
    "--timeout",
    "timeout_s",
    type=click.FloatRange(min=0.001),
    help="Seconds to wait. [default: the gateway's limits.tool_timeout_s]",
)
@gateway_option
@token_option
@json_option
def call_command(
    *, tool: str, arguments: str, timeout_s: float | None, gateway: GatewayAt, token: str, as_json: bool
) -> None:
    """Call TOOL with ARGUMENTS, a JSON object (`-` reads it from standard input).

    Prints what the tool said. Exit code 0: it answered; 1: it did not, and the reason is printed.
    """
    body: dict[str, Any] = {"arguments": _object(sys.stdin.read() if arguments == "-" else arguments)}
    if timeout_s is not None:
        body["timeout_ms"] = max(1, round(timeout_s * 1000))
    answer = GatewayClient(gateway, token).raw(
        "POST",
        f"/api/tools/{quote(tool, safe='')}/call",
        timeout_s=LONGEST_WAIT_S if timeout_s is None else timeout_s + MARGIN_S,
        content=msgspec.json.encode(body),
    )
    outcome = msgspec.json.decode(answer.content)
    if as_json:
        click.echo(answer.content)
    elif outcome.get("outcome") == "answered":
        click.echo(outcome["output"])
    else:
        click.echo(f"Error: {explain(outcome)}", err=True)
    sys.exit(0 if outcome.get("outcome") == "answered" else 1)


def _object(text: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise click.ClickException(f"ARGUMENTS must be a JSON object: {error}.") from None


def explain(outcome: dict[str, Any]) -> str:
    """What became of a call that was not answered, with the way out when there is one."""
    problems = [f"{problem['pointer'] or '/'}: {problem['message']}" for problem in outcome.get("problems", [])]
    parts = [outcome.get("error") or outcome.get("message") or str(outcome.get("outcome")), *problems]
    if outcome.get("hint"):
        parts.append(outcome["hint"])
    if outcome.get("nearest"):
        parts.append(f"Did you mean {', '.join(outcome['nearest'])}?")
    return "\n  ".join(parts)
