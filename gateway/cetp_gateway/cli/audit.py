"""`cetp audit`: what was called, by whom, who allowed it and how it ended; and whether the trail is whole."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from cetp_gateway.cli.gateway_client import GatewayAt, GatewayClient, gateway_option, json_option, token_option
from cetp_gateway.cli.turn_printer import printable
from cetp_gateway.policy.audit_chain import Stretch, Verified, verify

LOOK_S = 1.0
"""Between two looks of --follow."""
LATEST = 50
SEAL = '{"seal":'
"""How the lines of an export begin that close a sealed stretch."""


class _SealLine(msgspec.Struct):
    seal: str
    through: int


@click.group("audit", invoke_without_command=True, epilog="Example: cetp audit --follow --tool notes__add")
@click.option("--follow", is_flag=True, help="Go on showing what comes, until Ctrl-C.")
@click.option("--limit", type=click.IntRange(1, 1000), default=LATEST, show_default=True, help="Latest entries shown.")
@click.option("--session", default="", help="Only of this session.")
@click.option("--tool", default="", help="Only of this tool.")
@gateway_option
@token_option
@json_option
@click.pass_context
def audit_command(context: click.Context, /, gateway: GatewayAt, token: str, **how: Any) -> None:
    """Show the latest calls and decisions."""
    context.obj = client = GatewayClient(gateway, token)
    if context.invoked_subcommand is not None:
        return
    fits = {key: how[key] for key in ("session", "tool") if how[key]}
    page = client.request("GET", "/api/audit", params={"limit": how["limit"], **fits})
    _print(page["entries"], as_json=how["as_json"])
    while how["follow"]:
        time.sleep(LOOK_S)
        page = client.request("GET", "/api/audit", params={"after": page["last"], **fits})
        _print(page["entries"], as_json=how["as_json"])


@audit_command.command("export")
@click.pass_obj
def export_command(client: GatewayClient) -> None:
    """Print the whole trail as JSON lines, with a line for each seal; `cetp audit verify FILE` checks such a file."""
    for stretch in _stretches(client):
        click.echo(stretch.lines)
        click.echo(msgspec.json.encode(_SealLine(stretch.seal.hex(), stretch.through)))


@audit_command.command("verify")
@click.argument("file", required=False, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--seal", default="", help="A seal noted earlier, which must still occur.")
@click.pass_obj
def verify_command(client: GatewayClient, file: Path | None, seal: str) -> None:
    """Check that nothing was changed or removed, in the gateway's trail or in FILE, an export of it.

    Prints the last seal: noted elsewhere and given with --seal later, it shows whether the end was cut off as well.
    """
    try:
        found = verify(_exported(file) if file else _stretches(client), noted_seal=seal)
    except ValueError:
        raise click.ClickException(
            f"{file or 'The trail'} or the seal cannot be read as what `export` prints."
        ) from None
    _report(found)


def _report(found: Verified) -> None:
    if found.problem:
        click.echo(f"The trail is not whole: {found.problem}.", err=True)
        sys.exit(1)
    click.echo(f"{found.entries} entries, the last is number {found.through}; nothing was changed.\nseal {found.seal}")


def _stretches(client: GatewayClient) -> Iterator[Stretch]:
    after = 0
    while page := client.request("GET", "/api/audit/sealed", params={"after": after})["stretches"]:
        for row in page:
            yield Stretch(through=row["through"], lines=row["lines"], seal=bytes.fromhex(row["seal"]))
        after = page[-1]["through"]


def _exported(file: Path) -> Iterator[Stretch]:
    lines: list[str] = []
    with file.open(encoding="utf-8") as text:
        for line in text:
            if not line.startswith(SEAL):
                lines.append(line.rstrip("\n"))
                continue
            end = msgspec.json.decode(line, type=_SealLine)
            yield Stretch(through=end.through, lines="\n".join(lines), seal=bytes.fromhex(end.seal))
            lines = []
    if lines:
        raise ValueError("lines without a seal")


def _print(numbered: list[dict[str, Any]], *, as_json: bool) -> None:
    for row in numbered:
        click.echo(msgspec.json.encode(row) if as_json else printable(_line(row["number"], row["entry"])))
    sys.stdout.flush()


def _line(number: int, entry: dict[str, Any]) -> str:
    who = "/".join(filter(None, (entry.get("caller"), entry.get("client")))) or entry.get("by", "")
    decided = " ".join(filter(None, (entry.get("decision"), entry.get("by") and f"by {entry['by']}")))
    ended = entry.get("outcome", "")
    took = f"{entry['ms']:.0f} ms" if "ms" in entry else ""
    session = f"session {entry['session']}" if entry.get("session") else ""
    parts = (entry["at"], entry["kind"], entry.get("tool"), entry.get("effect"), who, session, decided, ended, took)
    return f"{number}  " + "  ".join(filter(None, parts))
