"""`cetp reload`: let a running gateway read its settings again."""

import json

import click

from cetp_gateway.cli.gateway_client import GatewayAt, GatewayClient, gateway_option, json_option, token_option


@click.command("reload", epilog="Example: cetp reload")
@gateway_option
@token_option
@json_option
def reload_command(gateway: GatewayAt, token: str, as_json: bool) -> None:
    """Read the settings file again without a restart.

    Models, policy, tools and limits change for what begins from then on; running turns end as they began. A file that
    cannot be used changes nothing, and the line at fault is named.
    """
    answer = GatewayClient(gateway, token).request("POST", "/api/config/reload")
    if as_json:
        click.echo(json.dumps(answer))
        return
    click.echo(answer["message"])
