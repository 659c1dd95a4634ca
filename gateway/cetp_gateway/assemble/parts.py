"""What an application brings besides, or in place of, what ships."""

from collections.abc import Sequence

import msgspec

from cetp_gateway.agent import HookFactories
from cetp_gateway.api import Memory, Tool
from cetp_gateway.models import ModelFactories, default_factories
from cetp_gateway.schedules import Clock, SystemClock


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """What an application brings besides, or in place of, what ships; everything else comes from the settings."""

    models: ModelFactories = msgspec.field(default_factory=default_factories)
    hooks: HookFactories = msgspec.field(default_factory=HookFactories.default)
    tools: Sequence[Tool] = ()
    """Tools of the application's own, registered in this order after those that ship; their names are protected."""
    builtin: bool = True
    """False leaves out all tools that ship, whatever `[builtin]` says."""
    memory: Memory | None = None
    """In place of the one that the settings ask for; opened and closed by whoever brings it."""
    clock: Clock = msgspec.field(default_factory=SystemClock)
    """By which schedules run."""
