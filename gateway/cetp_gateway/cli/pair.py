"""`cetp pair`: let a device in. On the gateway's machine it shows a code, elsewhere it trades one for a token."""

import sys
import time
from typing import Any

import click

from cetp_gateway.cli.gateway_client import GatewayAt, GatewayClient, gateway_option

POLL_S = 1.0


@click.command("pair", epilog="Example, on another machine: cetp pair --gateway box.local:42617 --code 1234-5678-9012")
@click.option("--code", default="", help="Trade this code for a token, which is printed once.")
@click.option(
    "--link", default="", metavar="cetp://pair?…", help="The same with a pairing link: gateway, code and pin."
)
@click.option("--name", default="", help="What the device is called in lists; with --code or --link.")
@click.option("--no-wait", is_flag=True, help="Print the code and end, instead of waiting for the device.")
@click.option("--qr/--no-qr", default=None, help="Show the link as a QR code. [default: in a terminal]")
@gateway_option
def pair_command(*, code: str, link: str, name: str, no_wait: bool, qr: bool | None, gateway: GatewayAt) -> None:
    """Pair a device.

    On the gateway's own machine: shows a one-time code, and a link and a QR code of it for a phone, and waits until a
    device has used it. With --code or --link, anywhere: is that device, and prints its token. Keep it in the
    environment as CETP_TOKEN.
    """
    if link:
        code, gateway = _followed(link)
    client = GatewayClient(gateway)
    if code:
        _redeem(client, code, name)
    elif not client.is_local:
        raise click.ClickException("A code is made on the gateway's own machine: run `cetp pair` there.")
    else:
        _show(client, wait=not no_wait, qr=sys.stdout.isatty() if qr is None else qr)


def _followed(text: str) -> tuple[str, GatewayAt]:
    from cetp_gateway.server.door.pairing_link import read_pairing_link  # noqa: PLC0415  (the server's room is heavy)

    link = read_pairing_link(text)
    return link.code, GatewayAt(link.gateway, link.pin or "")


def _redeem(client: GatewayClient, code: str, name: str) -> None:
    body = {"device_name": name} if name else {}
    answer = client.request("POST", "/pair", token="", headers={"x-pairing-code": code}, json=body)
    click.echo(answer["token"])
    click.echo(f"{answer['message']} Use it as CETP_TOKEN.", err=True)


def _show(client: GatewayClient, *, wait: bool, qr: bool) -> None:
    before = {row["id"] for row in client.request("GET", "/admin/devices", token="")["devices"]}
    answer = client.request("POST", "/admin/paircode/new", token="")
    # Alone on standard output: scripts read it there.
    click.echo(answer["pairing_code"])
    click.echo(f"{answer['message']} Enter it in the bridge app, or elsewhere: cetp pair --code CODE", err=True)
    _show_link(answer, qr=qr)
    if wait:
        _wait(client, before)


def _show_link(answer: dict[str, Any], *, qr: bool) -> None:
    """For people, and so beside the code. A gateway of another make gives no link."""
    link = answer.get("link")
    if link:
        click.echo(f"Or open this link on the phone: {link}", err=True)
    if link and qr:
        from cetp_gateway.cli.qr import qr_code  # noqa: PLC0415

        click.echo(qr_code(link), err=True)
    if answer.get("advice"):
        click.echo(answer["advice"], err=True)


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
