"""Hooks by name: `agent.hooks` in the settings lists names, factories make the hooks from the settings.

A name that no factory here has is looked for among the entry points `cetp_gateway.hooks` of what is installed; only
code that the owner has named is loaded. The security policy is no such hook: `HookPipeline` puts it first.
"""

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, Protocol

from cetp_gateway.agent.log_hook import LogHookFactory
from cetp_gateway.api import Hook
from cetp_gateway.errors import SettingsError
from cetp_gateway.settings.schema import Settings

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS: Final = "cetp_gateway.hooks"
"""Group of the entry points that name a HookFactory, or a class that makes one without arguments."""


class HookFactory(Protocol):
    """Makes one kind of hook."""

    @property
    def name(self) -> str:
        """As written in `agent.hooks`."""
        ...

    def create(self, settings: Settings) -> Hook:
        """Make the hook; called once for each gateway. `settings.hooks.options` has the owner's values for it by its
        name. Raises SettingsError when they do not fit.
        """
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
        return cls(cls.shipped())

    @staticmethod
    def shipped() -> "list[HookFactory]":
        """Those factories, for registries of other kinds."""
        return [LogHookFactory()]

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
        if name in self._factories:
            return self._factories[name]
        from importlib.metadata import entry_points  # noqa: PLC0415  (5 ms that few gateways need)

        installed = {point.name: point for point in entry_points(group=ENTRY_POINTS)}
        if name in installed:
            return _load(installed[name])
        known = {*self._factories, *installed}
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"Known are: {', '.join(sorted(known))}."
        raise SettingsError(f"agent.hooks names the unknown hook {name!r}. {hint}")


def _load(point: "EntryPoint") -> HookFactory:
    try:
        found = point.load()
        factory: HookFactory = found() if isinstance(found, type) else found
    except Exception as error:
        raise SettingsError(
            f"The hook {point.name!r} of agent.hooks cannot be loaded ({type(error).__name__}): {point.value} should "
            "name a hook factory."
        ) from error
    if not callable(getattr(factory, "create", None)):
        raise SettingsError(f"The hook {point.name!r} of agent.hooks: {point.value} is no hook factory.")
    return factory
