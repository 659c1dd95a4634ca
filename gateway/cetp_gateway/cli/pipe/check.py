"""`cetp pipe check`: somebody's host or agent driven through the acceptance points and the vectors of the pipe."""

import asyncio
import shlex
import shutil
import sys
from collections.abc import Sequence

import click

from cetp_gateway.pipe.check import TITLES, Finding, Point, Verdict, acceptable, check_agent, check_host

_COLOURS = {Verdict.PASSED: "green", Verdict.FAILED: "bold red", Verdict.SKIPPED: "yellow"}


@click.command("check")
@click.option("--agent", metavar="COMMAND", help="Check an agent: its command line, with a task for the browser.")
@click.option(
    "--host",
    metavar="COMMAND",
    help="Check a host: its command line; the agent's is added, or put where {agent} stands.",
)
@click.option("--handshakes", default=100, show_default=True, type=click.IntRange(1), help="Sessions in a row.")
@click.option("--rounds", default=25, show_default=True, type=click.IntRange(1), help="Of the four core actions.")
@click.option(
    "--only", type=click.IntRange(1, len(Point)), multiple=True, metavar="N", help="A point; 8 stands for the vectors."
)
def check_command(agent: str | None, host: str | None, handshakes: int, rounds: int, only: tuple[int, ...]) -> None:
    r"""Drive a host or an agent through the browser pipe's acceptance points, and print a table.

    Ends with status 1 when a check failed.

    \b
    Example: cetp pipe check --host "cetp pipe host --"
    """
    if (agent is None) == (host is None):
        raise click.UsageError("Give one of --agent and --host.")
    points = [Point(number) for number in only]
    if agent is not None:
        findings = asyncio.run(check_agent(_words(agent), _tell, handshakes=handshakes, only=points))
    else:
        findings = asyncio.run(check_host(_words(host or ""), _tell, handshakes=handshakes, rounds=rounds, only=points))
    _print(findings)
    sys.exit(0 if acceptable(findings) else 1)


def _words(command: str) -> Sequence[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise click.UsageError(f"The command cannot be read: {error}.") from None
    if not words:
        raise click.UsageError("The command is empty.")
    if shutil.which(words[0]) is None:
        raise click.UsageError(f"{words[0]} is not there, or may not be run.")
    return words


def _tell(finding: Finding) -> None:
    click.echo(f"{finding.point} {finding.what}: {finding.verdict}", err=True)


def _print(findings: Sequence[Finding]) -> None:
    # Loaded when there is something to show.
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table("", "point", "check", "", "remark")
    named = None
    for finding in findings:
        number, title = ("", "") if finding.point is named else (str(finding.point), TITLES[finding.point])
        named = finding.point
        verdict = Text(finding.verdict, style=_COLOURS[finding.verdict])
        # Remarks quote the program under test: plain text, no markup of its own.
        table.add_row(number, title, Text(finding.what), verdict, Text(finding.detail))
    Console().print(table)
