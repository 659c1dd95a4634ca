"""`cetp approvals`: calls that wait for a person, and tools that were allowed for longer than one call."""

from typing import Any

import click
import msgspec

from cetp_gateway.cli.gateway_client import GatewayAt, GatewayClient, gateway_option, json_option, token_option
from cetp_gateway.cli.turn_printer import printable


@click.group("approvals", invoke_without_command=True, epilog="Example: cetp approvals allow 1f0a --scope session")
@gateway_option
@token_option
@json_option
@click.pass_context
def approvals_command(context: click.Context, gateway: GatewayAt, token: str, as_json: bool) -> None:
    """List calls that wait for a person, and decide about them."""
    context.obj = GatewayClient(gateway, token)
    if context.invoked_subcommand is None:
        _list(context.obj, as_json=as_json)


@approvals_command.command("list")
@json_option
@click.pass_obj
def list_command(client: GatewayClient, as_json: bool) -> None:
    """Show the calls that wait, and the tools that need not be asked about."""
    _list(client, as_json=as_json)


@approvals_command.command("allow")
@click.argument("call")
@click.option(
    "--scope",
    type=click.Choice(["once", "session", "always"]),
    default="once",
    show_default=True,
    help="This call, or this tool, as it is now, for the session or until it is revoked.",
)
@click.pass_obj
def allow_command(client: GatewayClient, call: str, scope: str) -> None:
    """Let CALL (its id, or how that begins) run."""
    _decide(client, call, "allow", scope)


@approvals_command.command("deny")
@click.argument("call")
@click.pass_obj
def deny_command(client: GatewayClient, call: str) -> None:
    """Do not let CALL (its id, or how that begins) run."""
    _decide(client, call, "deny", "once")


@approvals_command.command("revoke")
@click.argument("grant")
@click.pass_obj
def revoke_command(client: GatewayClient, grant: str) -> None:
    """Ask again about the tool of GRANT (id or tool's name)."""
    rows = client.request("GET", "/api/approvals")["grants"]
    found = [row for row in rows if grant in (row["id"], row["tool"])]
    if not found:
        raise click.ClickException(f"Nothing called {grant} was allowed. `cetp approvals` lists what was.")
    for row in found:
        client.request("DELETE", f"/api/approvals/grants/{row['id']}")
        click.echo(f"{row['tool']} will be asked about again.")


def describe_call(call: dict[str, Any]) -> str:
    """A call that waits, in full: what is allowed must have been seen. Whoever wrote its texts cannot steer the
    terminal.
    """
    where = " on ".join(filter(None, (call.get("app"), call.get("device"))))
    arguments = msgspec.json.format(msgspec.json.encode(call["arguments"]), indent=2).decode()
    head = f"{call['tool']} ({call['effect']}{f', {where}' if where else ''})"
    return printable(f"{head}\n{call.get('reason', '')}\n{arguments}")


def _decide(client: GatewayClient, beginning: str, decision: str, scope: str) -> None:
    calls = client.request("GET", "/api/approvals")["open"]
    found = [call for call in calls if call["id"].startswith(beginning)]
    if len(found) != 1:
        many = f"{len(found)} waiting calls begin" if found else "No waiting call begins"
        raise click.ClickException(f"{many} with {beginning}. `cetp approvals` lists them.")
    call = found[0]
    click.echo(describe_call(call))
    body = {"digest": call["digest"], "decision": decision, "scope": scope}
    client.request("POST", f"/api/approvals/{call['id']}", content=msgspec.json.encode(body))
    click.echo("Allowed." if decision == "allow" else "Denied.")


def _list(client: GatewayClient, *, as_json: bool) -> None:
    found = client.request("GET", "/api/approvals")
    if as_json:
        click.echo(msgspec.json.encode(found))
        return
    if not found["open"]:
        click.echo("No call waits for a person.")
    for call in found["open"]:
        click.echo(f"{call['id']}  until {call['expires_at']}\n{describe_call(call)}\n")
    for grant in found["grants"]:
        reach = f"in session {grant['session_id']}" if grant["session_id"] else "always"
        click.echo(f"{grant['id']}  {grant['tool']} is allowed {reach}, by {grant['granted_by'] or 'somebody'}")
