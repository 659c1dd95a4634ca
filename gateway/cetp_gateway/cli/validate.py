"""`cetp validate`: checks a provider app's files. The work is done by `cetp_spec.validator`, imported when it runs."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from cetp_spec.validator import Input

KINDS = ("manifest", "apk", "list-tools", "tool", "provider-info", "reply")
MAX_STREAM_BYTES = 64 * 1024 * 1024
_COLOURS = {"error": "red", "warning": "yellow", "good": "green"}

EPILOG = """\b
Examples:
  cetp validate .                       the Android project in this folder
  cetp validate app.apk tools.json
  cetp validate --kind reply - < reply.json
"""


@click.command("validate", epilog=EPILOG, short_help="Check a provider app's manifest, APK and replies.")
@click.argument("paths", nargs=-1, metavar="PATH…")
@click.option("--kind", type=click.Choice(KINDS), help="Take every input for this; found by content otherwise.")
@click.option("--application-id", default="", metavar="ID", help="The app's id, where no build file says it plainly.")
@click.option("--strict", is_flag=True, help="Warnings count as errors.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for machines.")
@click.option("--rules", is_flag=True, help="Print all rules and leave.")
@click.pass_context
def validate_command(
    context: click.Context,
    *,
    paths: tuple[str, ...],
    kind: str | None,
    application_id: str,
    strict: bool,
    as_json: bool,
    rules: bool,
) -> None:
    """Check what a CETP provider or consumer is made of, without a phone.

    PATH is a source AndroidManifest.xml, a project folder, an APK, a list_tools answer, any reply as JSON, or
    provider info; - reads standard input. One line per problem says where it is, what is wrong and how to mend it.

    Ends with 0 when there is no error, 1 when there are errors, 2 when something could not be read.
    """
    from cetp_spec import validator  # noqa: PLC0415 - lxml and the schemas take time that other commands need not pay

    if rules:
        click.echo(validator.render_rules(_style), nl=False)
        return
    if not paths:
        raise click.UsageError("Name at least one PATH, or - for standard input.")
    wanted = validator.Kind(kind) if kind else None
    report = validator.check([_input(path) for path in paths], wanted, application_id=application_id)
    text = validator.render_json(report, strict=strict) if as_json else validator.render_text(report, _style)
    click.echo(text, nl=False)
    context.exit(report.exit_code(strict=strict))


def _input(path: str) -> "Input":
    from cetp_spec.validator import input_of  # noqa: PLC0415 - as above

    if path == "-":
        return input_of(sys.stdin.buffer.read(MAX_STREAM_BYTES), "standard input")
    if Path(path).is_fifo():
        # As the shell's <(…) gives it: it can be read once only.
        with Path(path).open("rb") as stream:
            return input_of(stream.read(MAX_STREAM_BYTES), path)
    return input_of(Path(path), path)


def _style(text: str, role: str) -> str:
    # click leaves the colours out when the output is no terminal.
    return click.style(text, dim=True) if role == "dim" else click.style(text, fg=_COLOURS.get(role))
