"""Everything that is offered now: built-in tools, hosts with their toolsets, and the names by which they go.

Above: `registry`, which changes it; `views` and `listing`, which read it. Below: `scope`, `binding`, `policy`.
"""

from collections.abc import Iterable, Iterator

from cetp_gateway.api import Tool
from cetp_gateway.settings.limits import LimitSettings
from cetp_gateway.tools.binding import Binding
from cetp_gateway.tools.host_entry import HostEntry
from cetp_gateway.tools.names import qualified
from cetp_gateway.tools.policy import Policy
from cetp_gateway.tools.registered import BuiltinTool
from cetp_gateway.tools.scope import Scope
from cetp_gateway.tools.toolset import StoredTool, ToolsetStore


class Catalog:
    """State of the registry; every change goes through `swap` or `set_builtins`."""

    def __init__(self, policy: Policy, limits: LimitSettings) -> None:
        self.policy = policy
        self._limits = limits
        self.store = ToolsetStore()
        self.builtins: dict[str, BuiltinTool] = {}
        self.entries: dict[str, HostEntry] = {}
        self.shared = Scope(self.builtins, self.bases_of)
        self.private = Scope(self.builtins, self.bases_of, above=self.shared)
        self.binding = Binding(self.store, self.entries.get, limits)

    def use(self, policy: Policy, limits: LimitSettings) -> None:
        """Take over other rules, and other limits for the arguments of calls."""
        self.policy = policy
        if limits != self._limits:
            self._limits = limits
            self.binding = Binding(self.store, self.entries.get, limits)
            self.set_builtins(self.own_tools())

    def own_tools(self) -> list[Tool]:
        """The built-in tools as they were given."""
        return [builtin.tool for builtin in self.builtins.values()]

    def set_builtins(self, tools: Iterable[Tool]) -> None:
        """Exchange all built-in tools. The dictionary stays: scopes know the protected names by it."""
        self.builtins.clear()
        self.builtins.update((tool.spec.name, self.binding.bind_builtin(tool)) for tool in tools)

    def swap(self, old: HostEntry | None, new: HostEntry | None) -> None:
        """Take a host in, let it go, or replace its entry by a newer one of the same host."""
        if old is not None and (new is None or new.shared != old.shared):
            self._scope(old).drop(old)
        if new is not None:
            self._scope(new).put(new)
            self.entries[new.host_id] = new
        elif old is not None:
            del self.entries[old.host_id]

    def tools_of(self, entry: HostEntry) -> list[StoredTool]:
        """The tools of a host, offered ones first; must not be changed."""
        return self.store.unpack(entry.toolset)

    def bases_of(self, entry: HostEntry) -> list[str]:
        """Base names of a host's offered tools, in the order of its toolset."""
        return [tool.base for tool in self.tools_of(entry) if tool.base]

    def public_name(self, entry: HostEntry, base: str) -> str:
        """The name of a host's tool where all hosts are seen."""
        return self._scope(entry).public_name(entry, base)

    def objection(self, entry: HostEntry, base: str, public: str) -> str:
        """Why the owner's rules keep a tool back; empty when they do not."""
        if entry.server and (objection := self.policy.objection_to_server(entry.server, base)):
            return objection
        return self.policy.objection(base, public, qualified(base, entry.slug))

    def objection_to_builtin(self, name: str) -> str:
        return self.policy.objection(name, name, name)

    def usable_builtins(self) -> Iterator[str]:
        """Names of the built-in tools that are offered, sorted."""
        return (name for name in sorted(self.builtins) if not self.objection_to_builtin(name))

    def _scope(self, entry: HostEntry) -> Scope:
        return self.shared if entry.shared else self.private
