"""The suffixes that tell hosts apart in public names: their label, with digits of their id when labels are equal.

Above: `scope`. Below: `host_entry`.
"""

from collections.abc import Iterator
from typing import Optional

from cetp_gateway.tools.host_entry import HostEntry


class HostLabels:
    """Hosts by label.

    Args:
        above: hosts that have their suffixes first; those here are never given one of them.
    """

    def __init__(self, above: Optional["HostLabels"] = None) -> None:
        self.changes = 0
        """Rises when hosts come or go."""
        self._above = above
        self._by_slug: dict[str, dict[str, HostEntry]] = {}
        self._suffixes: dict[str, str] = {}
        self._suffixes_of = (0, 0)

    def put(self, entry: HostEntry) -> None:
        """Take a host in, or a newer entry of the same host and label."""
        equals = self._by_slug.setdefault(entry.slug, {})
        self.changes += entry.host_id not in equals
        equals[entry.host_id] = entry

    def drop(self, entry: HostEntry) -> None:
        self.changes += 1
        equals = self._by_slug[entry.slug]
        del equals[entry.host_id]
        if not equals:
            del self._by_slug[entry.slug]

    def suffix(self, entry: HostEntry) -> str:
        """The shortest suffix that no other host has; remembered until hosts come or go."""
        changes = (self.changes, self._above.changes if self._above is not None else 0)
        if changes != self._suffixes_of:
            self._suffixes.clear()
            self._suffixes_of = changes
        known = self._suffixes.get(entry.host_id)
        if known is None:
            known = self._suffixes[entry.host_id] = self._shortest(entry)
        return known

    def find(self, suffix: str) -> HostEntry | None:
        """The host here that has this suffix."""
        for entry in self._by_slug.get(suffix.partition("_")[0], {}).values():
            if entry.qualifier.startswith(suffix) and self.suffix(entry) == suffix:
                return entry
        return None

    def qualifiers(self, slug: str) -> Iterator[str]:
        """The qualifiers of all hosts with this label, those above included."""
        if self._above is not None:
            yield from self._above.qualifiers(slug)
        for entry in self._by_slug.get(slug, {}).values():
            yield entry.qualifier

    def _shortest(self, entry: HostEntry) -> str:
        equals = list(self.qualifiers(entry.slug))
        for suffix in entry.suffixes():
            if sum(other.startswith(suffix) for other in equals) == 1:
                return suffix
        return entry.qualifier
