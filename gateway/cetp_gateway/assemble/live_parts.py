"""The parts of a running gateway that take new settings over without a restart.

`prepare` does whatever can fail and changes nothing; `apply` cannot fail and changes everything at once. Above:
`reloading`. Below: the rooms with such parts.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from cetp_gateway.agent import HookPipeline
from cetp_gateway.api import ModelProvider, Tool
from cetp_gateway.assemble.current import Current
from cetp_gateway.assemble.foundation import Foundation
from cetp_gateway.devices import Devices
from cetp_gateway.policy import CommandRules, levels_of_clients
from cetp_gateway.sessions import Conversations, Lines
from cetp_gateway.settings import Settings
from cetp_gateway.tools import ToolRegistry

_BEHIND_TOOLS: Final = ("builtin", "policy", "skills")
"""Sections that built-in tools are made from."""


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """Settings that are known to work, and what had to be made for them."""

    settings: Settings
    model: ModelProvider | None
    """None: the one in force fits the settings."""
    tools: list[Tool] | None
    """None: the built-in ones stay."""
    hooks: HookPipeline


class LiveParts(msgspec.Struct, frozen=True, kw_only=True):
    """See the module."""

    base: Foundation
    current: Current
    tools: Callable[[Settings], list[Tool]]
    """Makes the built-in tools that the settings ask for."""
    registry: ToolRegistry
    devices: Devices
    lines: Lines
    conversations: Conversations

    @property
    def fixed_sections(self) -> frozenset[str]:
        """Sections that cannot change here."""
        return frozenset({"model"}) if self.base.brings_model else frozenset()

    def prepare(self, settings: Settings) -> Change:
        """Check what only the parts can check. Raises SettingsError, and then nothing has changed."""
        levels_of_clients(settings.policy)
        CommandRules(settings.policy.allowed_commands)
        before = self.current.settings
        hooks = self.current.hooks
        if (settings.agent.hooks, settings.hooks) != (before.agent.hooks, before.hooks):
            hooks = HookPipeline(self.base.policy.guard, self.base.parts.hooks.create(settings))
        model = None
        if settings.model != before.model:
            model = self.base.parts.models.create(settings.model, around=self.base.meter.on)
        tools = None
        if any(getattr(settings, name) != getattr(before, name) for name in _BEHIND_TOOLS):
            tools = self.tools(settings)
        return Change(settings=settings, model=model, tools=tools, hooks=hooks)

    async def apply(self, change: Change) -> None:
        """Put the change in force for whatever begins from now on."""
        settings, before = change.settings, self.current.settings
        self.base.policy.use(settings.policy)
        self.base.meter.use(settings)
        self.devices.use(settings.limits)
        self.lines.use(length=settings.limits.turns_per_session, wait_s=settings.limits.queue_wait_s)
        self.conversations.use(max_history=settings.agent.max_history)
        self.current.settings, self.current.hooks = settings, change.hooks
        rules_changed = (settings.tools, settings.limits) != (before.tools, before.limits)
        if rules_changed:
            self.registry.use(settings.tools, settings.limits)
        if change.tools is not None:
            self.registry.replace_builtins(change.tools)
        if change.model is not None:
            # In force before it waits for the old one's end.
            await self.base.model.replace(change.model)
        if rules_changed:
            await self.registry.rejudge()
