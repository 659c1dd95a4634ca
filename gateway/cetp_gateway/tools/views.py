"""Views of the registry: what one session may use, and all there is.

Above: `registry`. Below: `catalog`, `nearest`.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from cetp_gateway.api import RegisteredTool, ToolSpec
from cetp_gateway.lru import Lru
from cetp_gateway.tools.binding import spec_of
from cetp_gateway.tools.catalog import Catalog
from cetp_gateway.tools.host_entry import HostEntry
from cetp_gateway.tools.nearest import nearest
from cetp_gateway.tools.scope import Found, Scope

_FOUND = 8192
_NAMESAKES = 3


class SessionView:
    """Built-in tools, those of shared hosts, and those of one private host, whose names go before shared ones.

    Names are taken down when it is made: what happens to the registry later does not change them.
    """

    def __init__(self, catalog: Catalog, own: HostEntry | None, revision: int) -> None:
        self.revision = revision
        self._catalog = catalog
        self._builtins = dict.fromkeys(catalog.usable_builtins())
        self._found = dict(_usable(catalog, catalog.shared))
        if own is not None and not own.shared:
            for place, base in enumerate(catalog.bases_of(own)):
                if not catalog.objection(own, base, base):
                    self._found[base] = (own, place)
        self._specs: tuple[ToolSpec, ...] | None = None

    def specs(self) -> Sequence[ToolSpec]:
        if self._specs is None:
            catalog = self._catalog
            builtin = (catalog.builtins[name].spec for name in self._builtins)
            remote = (
                spec_of(entry, catalog.tools_of(entry)[place], name)
                for name, (entry, place) in sorted(self._found.items(), key=lambda item: item[0])
            )
            self._specs = (*builtin, *remote)
        return self._specs

    def find(self, name: str) -> RegisteredTool | None:
        if name in self._builtins:
            return self._catalog.builtins[name]
        found = self._found.get(name)
        return self._catalog.binding.bind(*found, name) if found is not None else None

    def nearest(self, name: str) -> tuple[str, ...]:
        return nearest(name, chain(self._builtins, self._found))


class EverythingView:
    """Built-in tools and those of all hosts, looked up when they are asked for: there may be many thousands.

    It is of the registry as it is; after a change, a new one tells the new revision.
    """

    def __init__(self, catalog: Catalog, revision: int) -> None:
        self.revision = revision
        self._catalog = catalog
        self._known: Lru[str, RegisteredTool] = Lru(_FOUND)

    def specs(self) -> Sequence[ToolSpec]:
        catalog = self._catalog
        builtin = (catalog.builtins[name].spec for name in catalog.usable_builtins())
        remote = (spec_of(entry, catalog.tools_of(entry)[place], name) for name, (entry, place) in self._all_usable())
        return (*builtin, *sorted(remote, key=lambda spec: spec.name))

    def find(self, name: str) -> RegisteredTool | None:
        tool = self._known.get(name)
        if tool is None:
            tool = self._find(name)
            if tool is not None:
                self._known.put(name, tool)
        return tool

    def nearest(self, name: str) -> tuple[str, ...]:
        catalog = self._catalog
        holders = (*catalog.shared.holders(name)[:_NAMESAKES], *catalog.private.holders(name)[:_NAMESAKES])
        namesakes = (
            other for entry in holders if not catalog.objection(entry, name, other := catalog.public_name(entry, name))
        )
        usable = (other for other, _ in self._all_usable())
        return nearest(name, chain(namesakes, catalog.usable_builtins(), usable))

    def _find(self, name: str) -> RegisteredTool | None:
        catalog = self._catalog
        if name in catalog.builtins:
            return None if catalog.objection_to_builtin(name) else catalog.builtins[name]
        found = catalog.shared.find(name) or catalog.private.find(name)
        if found is None:
            return None
        entry, place = found
        base = catalog.tools_of(entry)[place].base
        return None if catalog.objection(entry, base, name) else catalog.binding.bind(entry, place, name)

    def _all_usable(self) -> Iterator[tuple[str, Found]]:
        return chain(_usable(self._catalog, self._catalog.shared), _usable(self._catalog, self._catalog.private))


def _usable(catalog: Catalog, scope: Scope) -> Iterator[tuple[str, Found]]:
    """Public names of a scope's tools that the owner's rules let through."""
    for entry in list(scope.entries()):
        for place, base in enumerate(catalog.bases_of(entry)):
            name = scope.public_name(entry, base)
            if not catalog.objection(entry, base, name):
                yield name, (entry, place)
