"""`cetp schedules`: prompts that run at their time."""

from datetime import datetime
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cetp_gateway.cli.gateway_client import GatewayAt, GatewayClient, gateway_option, json_option, token_option
from cetp_gateway.cli.turn_printer import printable

_FIELDS = ("name", "schedule", "time_zone", "session_id", "persona", "devices", "enabled", "webhook", "prompt")


@click.group(
    "schedules",
    invoke_without_command=True,
    epilog="Example: cetp schedules add '30 7 * * 1-5' 'What is on today?' --device pixel",
)
@gateway_option
@token_option
@json_option
@click.pass_context
def schedules_command(context: click.Context, gateway: GatewayAt, token: str, as_json: bool) -> None:
    """List and keep prompts that run at their time."""
    context.obj = GatewayClient(gateway, token)
    if context.invoked_subcommand is None:
        _list(context.obj, as_json=as_json)


@schedules_command.command("list")
@json_option
@click.pass_obj
def list_command(client: GatewayClient, as_json: bool) -> None:
    """Show all schedules, those that are due next first."""
    _list(client, as_json=as_json)


@schedules_command.command("add")
@click.argument("when")
@click.argument("prompt")
@click.option("--name", default="", help="For people; the prompt's beginning when left out.")
@click.option("--time-zone", default="", help="IANA name, such as Europe/Berlin; the gateway's when left out.")
@click.option("--session", default="", help="Session for the answers; one of its own when left out.")
@click.option("--persona", default="", help="For a session that is new.")
@click.option("--device", "devices", multiple=True, help="Wait for this device (name or id); may be repeated.")
@click.option("--wait", "wait_s", type=float, help="Seconds to wait for devices.")
@click.option("--max-age", "max_age_s", type=float, help="Seconds after which a missed run is not made up for.")
@click.option("--webhook", default="", help="URL that is told how each run ended, signed.")
@click.pass_obj
def add_command(
    client: GatewayClient, /, when: str, prompt: str, session: str, wait_s: float | None, **given: Any
) -> None:
    """Ask PROMPT at WHEN: a cron expression, ISO 8601, or words such as 'in 20 minutes' or 'tomorrow at 9:00'."""
    body = {"schedule": when, "prompt": prompt, "session_id": session, "wait_for_device_s": wait_s, **given}
    kept = client.request("POST", "/api/cron", content=msgspec.json.encode(body))["job"]
    click.echo(f"{kept['id']}  {printable(kept['name'])}  next: {_local(kept['next_run'])}")


@schedules_command.command("show")
@click.argument("schedule")
@click.option("--runs", type=click.IntRange(1, 100), default=10, show_default=True, help="Latest runs to show.")
@json_option
@click.pass_obj
def show_command(client: GatewayClient, schedule: str, runs: int, as_json: bool) -> None:
    """Show SCHEDULE (its id, or how that begins) and its latest runs."""
    job = _found(client, schedule)
    latest = client.request("GET", f"/api/cron/{job['id']}/runs", params={"limit": runs})["runs"]
    if as_json:
        click.echo(msgspec.json.encode({"job": job, "runs": latest}))
        return
    for field in _FIELDS:
        value = job[field]
        click.echo(f"{field:12} {printable(', '.join(value) if isinstance(value, list) else str(value))}")
    click.echo(f"{'next':12} {_local(job['next_run'])}\n")
    for run in latest:
        click.echo(_run_line(run))


@schedules_command.command("pause")
@click.argument("schedule")
@click.pass_obj
def pause_command(client: GatewayClient, schedule: str) -> None:
    """Let SCHEDULE not run until it is resumed."""
    _switch(client, schedule, enabled=False)


@schedules_command.command("resume")
@click.argument("schedule")
@click.pass_obj
def resume_command(client: GatewayClient, schedule: str) -> None:
    """Let SCHEDULE run again; what was due meanwhile is not made up for."""
    _switch(client, schedule, enabled=True)


@schedules_command.command("run")
@click.argument("schedule")
@click.pass_obj
def run_command(client: GatewayClient, schedule: str) -> None:
    """Run SCHEDULE now, besides its times."""
    job = _found(client, schedule)
    client.request("POST", f"/api/cron/{job['id']}/run")
    click.echo(f"Started; `cetp schedules show {job['id']}` tells how it ended.")


@schedules_command.command("remove")
@click.argument("schedule")
@click.pass_obj
def remove_command(client: GatewayClient, schedule: str) -> None:
    """Forget SCHEDULE and the record of its runs; its answers stay in its session."""
    job = _found(client, schedule)
    client.request("DELETE", f"/api/cron/{job['id']}")
    click.echo(f"{job['id']} was removed.")


def _switch(client: GatewayClient, schedule: str, *, enabled: bool) -> None:
    job = _found(client, schedule)
    body = msgspec.json.encode({"enabled": enabled})
    kept = client.request("PATCH", f"/api/cron/{job['id']}", content=body)["job"]
    click.echo(f"{kept['id']}  next: {_local(kept['next_run'])}" if enabled else f"{kept['id']} is paused.")


def _found(client: GatewayClient, beginning: str) -> dict[str, Any]:
    jobs: list[dict[str, Any]] = client.request("GET", "/api/cron")["jobs"]
    found = [job for job in jobs if job["id"].startswith(beginning)]
    if len(found) != 1:
        many = f"{len(found)} schedules' ids begin" if found else "No schedule's id begins"
        raise click.ClickException(f"{many} with {beginning}. `cetp schedules` lists them.")
    return found[0]


def _list(client: GatewayClient, *, as_json: bool) -> None:
    jobs = client.request("GET", "/api/cron")["jobs"]
    if as_json:
        click.echo(msgspec.json.encode(jobs))
        return
    if not jobs:
        click.echo("There are no schedules. Make one: cetp schedules add '30 7 * * *' 'What is on today?'")
        return
    table = Table("id", "name", "when", "next", "last", box=None, pad_edge=False)
    for job in jobs:
        upcoming = _local(job["next_run"]) if job["enabled"] else "paused"
        cells = (job["id"], job["name"], job["schedule"], upcoming, job["last_status"] or "")
        table.add_row(*(Text(printable(cell)) for cell in cells))
    Console().print(table)


def _run_line(run: dict[str, Any]) -> str:
    said = run["output"] or run["error"]
    lines = [f"{_local(run['due_at'])}  {run['status']}", run["note"], said]
    if run["skipped"]:
        lines.append(f"{run['skipped']} further times came while it had not ended.")
    if run["delivery"]:
        lines.append(f"webhook: {run['delivery']}")
    return printable("\n    ".join(line for line in lines if line))


def _local(moment: str | None) -> str:
    return f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d %H:%M %Z}" if moment else "never"
