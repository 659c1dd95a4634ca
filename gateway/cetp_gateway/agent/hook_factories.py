"""Hooks by name: `agent.hooks` in the settings lists names, factories make the hooks from the settings."""

import difflib
from collections.abc import Iterable
from typing import Protocol

from cetp_gateway.agent.log_hook import LogHookFactory
from cetp_gateway.api import Hook
from cetp_gateway.errors import SettingsError
from cetp_gateway.settings.schema import Settings


class HookFactory(Protocol):
    """Makes one kind of hook."""

    @property
    def name(self) -> str:
        """As written in `agent.hooks`."""
        ...

    def create(self, settings: Settings) -> Hook:
        """Make the hook; called once for each gateway. Raises SettingsError when its settings do not fit."""
        ...


class HookFactories:
    """The known factories. `HookFactories.default()` has those that ship with the project."""

    def __init__(self, factories: Iterable[HookFactory] = ()) -> None:
        self._factories: dict[str, HookFactory] = {}
        for factory in factories:
            self.register(factory)

    @classmethod
    def default(cls) -> "HookFactories":
        """The hooks that ship with the project."""
        return cls([LogHookFactory()])

    def register(self, factory: HookFactory) -> None:
        """Make a kind of hook known. ValueError when its name is taken."""
        if factory.name in self._factories:
            raise ValueError(f"There is a hook factory named {factory.name} already.")
        self._factories[factory.name] = factory

    def create(self, settings: Settings) -> tuple[Hook, ...]:
        """The configured hooks in their order.

        Raises:
            SettingsError: `agent.hooks` names an unknown hook, or one twice.
        """
        names = settings.agent.hooks
        for position, name in enumerate(names):
            if name in names[:position]:
                raise SettingsError(f"agent.hooks names {name!r} twice. Each hook can run once.")
        return tuple(self._factory(name).create(settings) for name in names)

    def _factory(self, name: str) -> HookFactory:
        factory = self._factories.get(name)
        if factory is None:
            near = difflib.get_close_matches(name, self._factories, n=1)
            known = f"Did you mean {near[0]!r}?" if near else f"Known are: {', '.join(sorted(self._factories))}."
            raise SettingsError(f"agent.hooks names the unknown hook {name!r}. {known}")
        return factory
