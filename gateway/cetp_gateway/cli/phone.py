"""`cetp phone`: a virtual phone in the terminal. Prints what the phone tells; decides nothing about it."""

import asyncio
import os
import signal
import stat
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cetp_gateway.cli.gateway_client import GatewayAt, GatewayClient, gateway_option
from cetp_gateway.errors import CetpError, GatewayUnreachable
from cetp_gateway.phone import (
    FAULTS,
    Disconnected,
    Fault,
    Listener,
    Misbehaved,
    Noticed,
    Pack,
    PhoneEvent,
    Registered,
    Stopped,
    VirtualPhone,
    load_pack,
    obey,
    read_fault,
    shipped_packs,
    told,
)
from cetp_gateway.phone.faults import FORM

_STYLES: dict[type[PhoneEvent], str] = {
    Disconnected: "yellow",
    Misbehaved: "magenta",
    Noticed: "yellow",
    Registered: "green",
    Stopped: "bold",
}


def _show_faults(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    table = Table("fault", "what the phone does", "amount", box=None, pad_edge=False)
    for kind in FAULTS.values():
        table.add_row(kind.name, kind.sentence, f"{kind.amount} {kind.unit}" if kind.unit else "")
    Console().print(table)
    click.echo(f"\nWrite --fault {FORM}: without @TOOL at every tool, without #N at every call.")
    context.exit()


@click.command("phone", epilog="Example: cetp phone --pack notes.json --fault 'late=3000@notes__*#2'")
@gateway_option
@click.option(
    "--token",
    default="",
    envvar="CETP_TOKEN",
    show_envvar=True,
    help="From `cetp pair`; not needed on the gateway's own machine. Never shown.",
)
@click.option(
    "--pack", "files", type=click.Path(path_type=Path), multiple=True, help="An installed app; default: those shipped."
)
@click.option("--authorise", multiple=True, metavar="PACKAGE", help="The user has authorised this app already.")
@click.option(
    "--device-id", default="virtual-phone", show_default=True, help="Two phones of one id displace each other."
)
@click.option("--device-name", default="Virtual phone", show_default=True)
@click.option("--session", default="", help="Id of the session that the socket belongs to.")
@click.option("--plain", is_flag=True, help="Behave like the original client: no extensions, one frame per tool.")
@click.option("--once", is_flag=True, help="End with the first connection instead of connecting again.")
@click.option("--fault", "faults", multiple=True, metavar="FAULT", help="Misbehave; --faults lists how.")
@click.option(
    "--faults",
    "list_faults",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_faults,
    help="List the faults.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per event.")
@click.option("--quiet", is_flag=True, help="Print errors only.")
def phone_command(
    *,
    gateway: GatewayAt,
    token: str,
    files: Sequence[Path],
    authorise: Sequence[str],
    device_id: str,
    device_name: str,
    session: str,
    plain: bool,
    once: bool,
    faults: Sequence[str],
    as_json: bool,
    quiet: bool,
) -> None:
    """Be a phone: offer the tools of provider packs to a gateway and answer its calls.

    While it runs, type `authorise PACKAGE`, `install FILE` and the like; any other line lists the commands.
    Ctrl-C ends it.
    """
    try:
        client = GatewayClient(gateway, token)
        token = _token(client)
        phone = VirtualPhone(
            client.url,
            token,
            _packs(files),
            device_id,
            device_name,
            faults=_faults(faults),
            plain=plain,
            session_id=session,
            reconnect=not once,
            listener=_listener(as_json=as_json, quiet=quiet),
            ssl_context=client.ssl_context,
        )
        for package in authorise:
            phone.authorise(package)
        asyncio.run(_run(phone, _say(as_json=as_json, quiet=quiet)))
    except (CetpError, ValueError) as error:
        raise click.ClickException(str(error)) from error


def _token(client: GatewayClient) -> str:
    """The given one, or a local gateway's; none when nobody answers, since a phone may be there before its gateway."""
    try:
        client.settle()
        return client.token()
    except GatewayUnreachable:
        return ""


def _packs(files: Sequence[Path]) -> list[Pack]:
    return [load_pack(file) for file in files] if files else shipped_packs()


def _faults(texts: Sequence[str]) -> list[Fault]:
    return [read_fault(text) for text in texts]


def _listener(*, as_json: bool, quiet: bool) -> Listener:
    console = Console(highlight=False, soft_wrap=True)

    def show(event: PhoneEvent) -> None:
        if as_json:
            click.echo(msgspec.json.encode(event))
        else:
            console.print(Text(told(event), _STYLES.get(type(event), "")))

    return (lambda _: None) if quiet else show


def _say(*, as_json: bool, quiet: bool) -> Callable[[str], None]:
    """Where answers to typed commands go: beside the events for machines, not among them."""
    return (lambda _: None) if quiet else lambda text: click.echo(text, err=as_json)


async def _run(phone: VirtualPhone, say: Callable[[str], None]) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, phone.stop)
    stop_reading = _obey_typed_lines(loop, phone, say)
    try:
        await phone.run()
    finally:
        stop_reading()


def _obey_typed_lines(
    loop: asyncio.AbstractEventLoop, phone: VirtualPhone, say: Callable[[str], None]
) -> Callable[[], Any]:
    """Take commands from a terminal or a pipe, for as long as there are some; the way to end it."""
    if not _can_be_watched(sys.stdin.fileno()):
        return lambda: None
    descriptor = sys.stdin.fileno()
    rest = b""

    def read() -> None:
        nonlocal rest
        came = os.read(descriptor, 65536)
        if not came:
            loop.remove_reader(descriptor)
        *lines, rest = (rest + came).split(b"\n")
        for line in lines:
            if line.strip():
                say(obey(phone, line.decode(errors="replace")))

    loop.add_reader(descriptor, read)
    return lambda: loop.remove_reader(descriptor)


def _can_be_watched(descriptor: int) -> bool:
    """Event loops watch terminals and pipes, not files or nothing at all."""
    return os.isatty(descriptor) or stat.S_ISFIFO(os.fstat(descriptor).st_mode)
