"""`cetp devices`: who is paired with the gateway on this machine, and how to end that."""

import click
import msgspec

from cetp_gateway.cli.gateway_client import GatewayAt, GatewayClient, gateway_option, json_option


@click.group("devices", invoke_without_command=True, epilog="Example: cetp devices revoke 3f2a9c01")
@gateway_option
@json_option
@click.pass_context
def devices_command(context: click.Context, gateway: GatewayAt, as_json: bool) -> None:
    """List or revoke paired devices; on the gateway's own machine."""
    context.obj = GatewayClient(gateway)
    if context.invoked_subcommand is None:
        _list(context.obj, as_json=as_json)


@devices_command.command("list")
@json_option
@click.pass_obj
def list_command(client: GatewayClient, as_json: bool) -> None:
    """Show all paired devices."""
    _list(client, as_json=as_json)


@devices_command.command("revoke")
@click.argument("device")
@click.pass_obj
def revoke_command(client: GatewayClient, device: str) -> None:
    """Take the token of DEVICE (id or name) away; its sockets are closed at once."""
    rows = client.request("GET", "/admin/devices", token="")["devices"]
    found = [row for row in rows if device in (row["id"], row["name"])]
    if len(found) != 1:
        many = f"{len(found)} devices are called {device}; give an id" if found else f"No device is called {device}"
        raise click.ClickException(f"{many}. `cetp devices` lists them.")
    client.request("DELETE", f"/admin/devices/{found[0]['id']}", token="")
    click.echo(f"{found[0]['name']} ({found[0]['id']}) is no longer let in.")


def _list(client: GatewayClient, *, as_json: bool) -> None:
    answer = client.request("GET", "/admin/devices", token="")
    if as_json:
        click.echo(msgspec.json.encode(answer))
    elif not answer["devices"]:
        click.echo("No device is paired. Let one in with: cetp pair")
    else:
        for row in answer["devices"]:
            seen = "connected" if row["connected"] else f"last seen {row['last_seen'] or 'never'}"
            click.echo(f"{row['id']}  {row['name']}  paired {row['paired_at']}  {seen}")
