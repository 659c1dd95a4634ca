"""`cetp` itself: its commands by name, and what a user is told when one of them fails."""

import sys
from typing import Any

import click

from cetp_gateway._version import __version__
from cetp_gateway.cli.lazy_group import LazyGroup
from cetp_gateway.errors import CetpError

COMMANDS = {
    "serve": "serve:serve_command",
    "demo": "demo:demo_command",
    "chat": "chat:chat_command",
    "tools": "tools:tools_command",
    "call": "call:call_command",
    "phone": "phone:phone_command",
    "pair": "pair:pair_command",
    "devices": "devices:devices_command",
    "usage": "usage:usage_command",
    "approvals": "approvals:approvals_command",
    "questions": "questions:questions_command",
    "audit": "audit:audit_command",
    "reload": "reload:reload_command",
    "doctor": "doctor:doctor_command",
    "memory": "memory:memory_command",
    "pipe": "pipe.group:pipe_command",
    "schedules": "schedules:schedules_command",
    "validate": "validate:validate_command",
}
"""Where each command lives; the validator needs no server."""


class CetpGroup(LazyGroup):
    """The commands of `cetp`, and what becomes of their failures."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run; our own errors become one line and exit code 1."""
        try:
            return super().invoke(ctx)
        except CetpError as error:
            raise click.ClickException(error.message) from error


@click.group(
    cls=CetpGroup, places=COMMANDS, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="cetp")
def cetp() -> None:
    """Let AI agents use the data inside Android apps.

    First steps: `cetp demo` shows everything on this machine; `cetp serve` starts a gateway, `cetp pair` lets a
    phone in, `cetp chat` asks.
    """


def main() -> None:
    """The entry point of the `cetp` command."""
    # Answers are people's texts in any script; a terminal that cannot show a letter must not end the program.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    cetp(prog_name="cetp")
