"""A group of commands that are imported when they are asked for: loading one must not load the others.

Above: `cetp` itself and the groups in it. Below: click.
"""

import importlib
from collections.abc import Mapping
from typing import Any

import click


class LazyGroup(click.Group):
    """A group whose commands are known by their places.

    Args:
        places: a command's name → `module:object` in `cetp_gateway.cli`, in the order in which one meets them.
    """

    def __init__(self, *args: Any, places: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._places = places

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The commands in the order in which one meets them."""
        return list(self._places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command; None when there is none of this name, which click answers with the nearest."""
        if cmd_name not in self._places:
            return None
        module, _, name = self._places[cmd_name].partition(":")
        command: click.Command = getattr(importlib.import_module(f"cetp_gateway.cli.{module}"), name)
        return command
