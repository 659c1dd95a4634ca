"""`cetp doctor`: is everything in place for a gateway, and what to do where it is not."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
from click.core import ParameterSource

from cetp_gateway.cli.gateway_client import GatewayAt, GatewayClient, gateway_option, json_option, token_option
from cetp_gateway.doctor import Case, Finding, Running, State, examine
from cetp_gateway.errors import CetpError, SettingsError
from cetp_gateway.settings import Settings, SettingsSource, default_config_file, default_data_folder

_WAIT_S = 5.0
_FILE = click.Path(path_type=Path, dir_okay=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)
_MARKS = {State.OK: "ok", State.WARNING: "warning", State.BROKEN: "broken", State.SKIPPED: "–"}
_STYLES = {State.OK: "green", State.WARNING: "yellow", State.BROKEN: "bold red", State.SKIPPED: "dim"}


@click.command("doctor", epilog="Example: cetp doctor --offline")
@click.option("--offline", is_flag=True, help="Ask nothing on the network but the gateway itself.")
@click.option("--config", type=_FILE, envvar="CETP_CONFIG", show_envvar=True, help="Settings file, as for cetp serve.")
@click.option("--data", type=_FOLDER, envvar="CETP_DATA", show_envvar=True, help="Data folder, as for cetp serve.")
@gateway_option
@token_option
@json_option
@click.pass_context
def doctor_command(
    context: click.Context,
    *,
    offline: bool,
    config: Path | None,
    data: Path | None,
    gateway: GatewayAt,
    token: str,
    as_json: bool,
) -> None:
    """Look at everything that a gateway needs: files, clock, disk, port, certificate, model, devices.

    Each line says what was found and, where something is wrong, what to do. Nothing is changed, no secret is shown,
    and a gateway that runs is asked too. Ends with 1 when something is broken; warnings do not count.
    """
    data = data or default_data_folder()
    source = SettingsSource(config or default_config_file(data))
    settings, trouble = _read(source)
    if context.get_parameter_source("gateway") is ParameterSource.DEFAULT:
        gateway = msgspec.structs.replace(gateway, address=_address(settings))
    findings = asyncio.run(
        examine(
            Case(
                source=source,
                data_folder=data,
                settings=settings,
                trouble=trouble,
                offline=offline,
                running=_running(gateway, token),
            )
        )
    )
    if as_json:
        click.echo(msgspec.json.encode({"findings": findings}))
    else:
        _show(findings)
    sys.exit(any(finding.state is State.BROKEN for finding in findings))


def _read(source: SettingsSource) -> tuple[Settings, str]:
    try:
        return source.read(), ""
    except SettingsError as error:
        return Settings(), error.message


def _address(settings: Settings) -> str:
    server = settings.server
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(server.host, server.host)  # noqa: S104
    host = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"{host}:{server.port}"


def _running(at: GatewayAt, token: str) -> Running | None:
    """The gateway, when one answers. What it does not tell us is empty."""
    try:
        client = GatewayClient(at, token)
        version = str(client.request("GET", "/health", token="", timeout_s=_WAIT_S)["version"])
    except (CetpError, click.ClickException, KeyError, TypeError):
        return None
    paired = _told(client, "/admin/devices").get("devices") if client.is_local else None
    return Running(
        url=client.url,
        version=version,
        health=_told(client, "/api/health"),
        status=_told(client, "/api/status"),
        paired=paired,
    )


def _told(client: GatewayClient, path: str) -> dict[str, Any]:
    try:
        answer = client.request("GET", path, timeout_s=_WAIT_S)
    except (CetpError, click.ClickException):
        return {}
    return answer if isinstance(answer, dict) else {}


def _show(findings: Sequence[Finding]) -> None:
    from rich.console import Console  # noqa: PLC0415  (not for machines)
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=None, show_header=False, pad_edge=False)
    for _ in range(3):
        table.add_column(overflow="fold")
    for finding in findings:
        says = Text(finding.says)
        if finding.fix:
            says.append(f"\n→ {finding.fix}", "italic")
        table.add_row(Text(_MARKS[finding.state], _STYLES[finding.state]), finding.about, says)
    Console().print(table)
    broken, warnings = (sum(one.state is state for one in findings) for state in (State.BROKEN, State.WARNING))
    counted = f"{broken} broken, {warnings} {'warning' if warnings == 1 else 'warnings'}."
    click.echo(counted if broken or warnings else "All well.")
