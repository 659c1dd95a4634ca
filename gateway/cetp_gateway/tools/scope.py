"""Hosts whose tools are seen together, and the public name of each of their tools.

A tool has its base name while no other host here offers that name, else the base with its host's label behind it,
and a hash when that is taken or too long. So names depend on what is offered now and not on the order in which it
came, no two are equal, and a name leads back to its tool without a table of all names.
Above: `catalog`, `views`. Below: `names`, `name_counts`, `host_labels`.
"""

from collections.abc import Callable, Container, Iterator
from typing import Optional

from cetp_gateway.tools.host_entry import HostEntry
from cetp_gateway.tools.host_labels import HostLabels
from cetp_gateway.tools.name_counts import NameCounts
from cetp_gateway.tools.names import hashed, qualified, split_qualified, suffix_of_hashed

Found = tuple[HostEntry, int]
"""A host and the place of a tool in its toolset."""


class Scope:
    """Either all shared hosts or all private ones.

    Args:
        protected: names of built-in tools.
        bases_of: the base names of a host's tools, in the order of its toolset.
        above: hosts whose names come first: tools here have to give way to them.
    """

    def __init__(
        self,
        protected: Container[str],
        bases_of: Callable[[HostEntry], list[str]],
        above: Optional["Scope"] = None,
    ) -> None:
        self._protected = protected
        self._bases_of = bases_of
        self._above = above
        self._entries: dict[str, HostEntry] = {}
        self._counts = NameCounts()
        self.labels: HostLabels = HostLabels(above.labels if above is not None else None)

    def put(self, entry: HostEntry) -> None:
        """Take a host in, or a newer entry of the same host."""
        old = self._entries.get(entry.host_id)
        if old is not None:
            self._counts.remove(old.toolset.names.hashes)
            if old.slug != entry.slug:
                self.labels.drop(old)
        self._entries[entry.host_id] = entry
        self._counts.add(entry.toolset.names.hashes)
        self.labels.put(entry)

    def drop(self, entry: HostEntry) -> None:
        del self._entries[entry.host_id]
        self._counts.remove(entry.toolset.names.hashes)
        self.labels.drop(entry)

    def entries(self) -> Iterator[HostEntry]:
        return iter(self._entries.values())

    def offers(self, base: str) -> bool:
        """Whether any host here has a tool with this base name."""
        return self._counts.count(hash(base)) > 0

    def holders(self, base: str) -> list[HostEntry]:
        """The hosts here that have a tool with this base name."""
        return [entry for entry in self._entries.values() if entry.toolset.names.index(base) >= 0]

    def public_name(self, entry: HostEntry, base: str) -> str:
        """The name by which a tool of a host here is known now."""
        if self._counts.count(hash(base)) == 1 and self._is_free(base):
            return base
        suffix = self.labels.suffix(entry)
        name = qualified(base, suffix)
        return name if name and self._is_free(name) and not self.offers(name) else hashed(base, suffix)

    def find(self, name: str) -> Found | None:
        """The tool that has this public name; None when there is none or several could be meant."""
        count = self._counts.count(hash(name))
        if count:
            return self._find_base(name) if count == 1 and self._is_free(name) else None
        base, suffix = split_qualified(name)
        return self._find_qualified(name, base, suffix) or self._find_hashed(name)

    def _find_base(self, name: str) -> Found | None:
        for entry in self._entries.values():
            place = entry.toolset.names.index(name)
            if place >= 0:
                return entry, place
        return None

    def _find_qualified(self, name: str, base: str, suffix: str) -> Found | None:
        entry = self.labels.find(suffix)
        place = entry.toolset.names.index(base) if entry is not None else -1
        if entry is None or place < 0 or self.public_name(entry, base) != name:
            return None
        return entry, place

    def _find_hashed(self, name: str) -> Found | None:
        suffix = suffix_of_hashed(name)
        entry = self.labels.find(suffix) if suffix else None
        if entry is None:
            return None
        for place, base in enumerate(self._bases_of(entry)):
            if hashed(base, suffix) == name and self.public_name(entry, base) == name:
                return entry, place
        return None

    def _is_free(self, name: str) -> bool:
        """Whether a tool here may have this name, as far as built-in, other and hashed names go."""
        if name in self._protected or (self._above is not None and self._above.knows(name)):
            return False
        suffix = suffix_of_hashed(name)
        entry = self.labels.find(suffix) if suffix else None
        return entry is None or all(hashed(base, suffix) != name for base in self._bases_of(entry))

    def knows(self, name: str) -> bool:
        """Whether the name means something here, be it ambiguous."""
        return self.offers(name) or self.find(name) is not None
