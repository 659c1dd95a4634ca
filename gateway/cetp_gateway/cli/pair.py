"""`cetp pair`: let a device in. On the gateway's machine it shows a code, elsewhere it trades one for a token."""

import time

import click

from cetp_gateway.cli.gateway_client import GatewayClient, gateway_option

POLL_S = 1.0


@click.command("pair", epilog="Example, on another machine: cetp pair --gateway box.local:42617 --code 1234-5678-9012")
@click.option("--code", default="", help="Trade this code for a token, which is printed once.")
@click.option("--name", default="", help="What the device is called in lists; with --code.")
@click.option("--no-wait", is_flag=True, help="Print the code and end, instead of waiting for the device.")
@gateway_option
def pair_command(code: str, name: str, no_wait: bool, gateway: str) -> None:
    """Pair a device.

    On the gateway's own machine: shows a one-time code and waits until a device has used it. With --code, anywhere:
    is that device, and prints its token. Keep it in the environment as CETP_TOKEN.
    """
    client = GatewayClient(gateway)
    if code:
        _redeem(client, code, name)
    elif not client.is_local:
        raise click.ClickException("A code is made on the gateway's own machine: run `cetp pair` there.")
    else:
        _show(client, wait=not no_wait)


def _redeem(client: GatewayClient, code: str, name: str) -> None:
    body = {"device_name": name} if name else {}
    answer = client.request("POST", "/pair", token="", headers={"x-pairing-code": code}, json=body)
    click.echo(answer["token"])
    click.echo(f"{answer['message']} Use it as CETP_TOKEN.", err=True)


def _show(client: GatewayClient, *, wait: bool) -> None:
    before = {row["id"] for row in client.request("GET", "/admin/devices", token="")["devices"]}
    answer = client.request("POST", "/admin/paircode/new", token="")
    click.echo(answer["pairing_code"])
    click.echo(f"{answer['message']} Enter it in the bridge app, or elsewhere: cetp pair --code CODE", err=True)
    if wait:
        _wait(client, before)


def _wait(client: GatewayClient, before: set[str]) -> None:
    """Until a device has used the code, or the code is gone."""
    from rich.console import Console  # noqa: PLC0415  (50 ms that --code need not pay)

    with Console(stderr=True).status("Waiting for a device … (Ctrl-C ends the wait, the code stays good)"):
        while True:
            new = [r for r in client.request("GET", "/admin/devices", token="")["devices"] if r["id"] not in before]
            if new:
                break
            if client.request("GET", "/admin/paircode", token="")["pairing_code"] is None:
                raise click.ClickException("The code has expired or was locked. Make a new one with: cetp pair")
            time.sleep(POLL_S)
    click.echo(f"Paired: {new[0]['name']} ({new[0]['id']})")
