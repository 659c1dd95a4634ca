"""What an application brings besides, or in place of, what ships."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from cetp_gateway.agent import HookFactories
from cetp_gateway.api import Memory, Tool
from cetp_gateway.models import ModelFactories, default_factories


@dataclass(frozen=True, kw_only=True)
class Parts:
    """What an application brings besides, or in place of, what ships; everything else comes from the settings."""

    models: ModelFactories = field(default_factory=default_factories)
    hooks: HookFactories = field(default_factory=HookFactories.default)
    tools: Sequence[Tool] = ()
    """Built-in tools, registered in this order; their names are protected."""
    memory: Memory | None = None
    """In place of the one that the settings ask for; opened and closed by whoever brings it."""
