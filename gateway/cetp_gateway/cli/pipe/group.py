"""`cetp pipe`: both sides of the browser pipe, a demo of them, and the checker for other people's programs."""

import click

from cetp_gateway.cli.lazy_group import LazyGroup

COMMANDS = {
    "host": "pipe.host:host_command",
    "agent": "pipe.agent:agent_command",
    "demo": "pipe.demo:demo_command",
    "check": "pipe.check:check_command",
}


@click.group("pipe", cls=LazyGroup, places=COMMANDS)
def pipe_command() -> None:
    """Let an agent act in a real browser, over signed lines of JSON."""
