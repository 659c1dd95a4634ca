"""The apps on the phone and the tools they offer under wire names: what the bridge would find by a scan.

Every change raises `revision`; whoever registers tools compares it. Above: `registration`, `calls`. Below: `provider`.
"""

import json
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from cetp_gateway.phone.pack import Pack
from cetp_gateway.phone.provider import Provider, Today, local_today
from cetp_spec.naming import can_be_named, public_names


class CatalogTool(msgspec.Struct, frozen=True):
    """One tool of one app, as the app's list_tools gave it."""

    wire_name: str
    """What it is registered as: `label__tool` (spec 8)."""
    provider: Provider
    name: str
    """The app's own name for it."""
    description: str
    parameters: Any
    """UNSET when the app sent none."""


class Catalog:
    """Installed apps by package name."""

    def __init__(self, packs: Iterable[Pack] = (), *, today: Today = local_today) -> None:
        self.revision = 0
        self.tools: dict[str, CatalogTool] = {}
        """By wire name."""
        self.unnamed: list[str] = []
        """`PACKAGE: TOOL` of tools whose names no name can stand for (spec 8.3); they are not offered."""
        self._today = today
        self._providers: dict[str, Provider] = {}
        self._watchers: list[Callable[[], None]] = []
        for pack in packs:
            self.install(pack)

    def watch(self, changed: Callable[[], None]) -> None:
        """Be told after each change."""
        self._watchers.append(changed)

    def install(self, pack: Pack) -> None:
        """Add an app; ValueError when its package is installed already."""
        if pack.package in self._providers:
            raise ValueError(f"{pack.package} is installed already; update it instead")
        self._providers[pack.package] = Provider(pack, today=self._today)
        self._scan()

    def update(self, pack: Pack) -> None:
        """Replace an app by another version of it; what its user authorised stays."""
        old = self.provider(pack.package)
        self._providers[pack.package] = Provider(pack, authorised=old.authorised, today=self._today)
        self._scan()

    def uninstall(self, package: str) -> None:
        """Remove an app and what its user authorised."""
        self.provider(package)
        del self._providers[package]
        self._scan()

    def provider(self, package: str) -> Provider:
        """The app of this package; ValueError with the known ones when it is not installed."""
        found = self._providers.get(package)
        if found is None:
            raise ValueError(f"{package} is not installed; there are: {', '.join(self._providers) or 'none'}")
        return found

    @property
    def packages(self) -> list[str]:
        """Package names of all apps."""
        return list(self._providers)

    def _scan(self) -> None:
        listed = {package: _tools_of(provider) for package, provider in self._providers.items()}
        named = {package: [tool["name"] for tool in tools] for package, tools in listed.items()}
        self.unnamed = [
            f"{package}: {name!r}" for package, found in named.items() for name in found if not can_be_named(name)
        ]
        names = public_names(
            {package: [name for name in found if can_be_named(name)] for package, found in named.items()}
        )
        self.tools = {
            wire_name: _catalog_tool(wire_name, self._providers[package], name, listed[package])
            for (package, name), wire_name in names.items()
        }
        self.revision += 1
        for changed in self._watchers:
            changed()


def _tools_of(provider: Provider) -> list[dict[str, Any]]:
    tools: list[dict[str, Any]] = json.loads(provider.list_tools()["data"])["tools"]
    return tools


def _catalog_tool(wire_name: str, provider: Provider, name: str, listed: list[dict[str, Any]]) -> CatalogTool:
    # Of two tools with one name the first counts, as in the app itself.
    entry = next(tool for tool in listed if tool["name"] == name)
    return CatalogTool(wire_name, provider, name, entry.get("description", ""), entry.get("parameters", msgspec.UNSET))
