"""How many hosts offer each name, at 8 bytes a name: sorted arrays, with the latest changes beside them.

A dict would hold 80 bytes for every name of every phone.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable

_SHARDS = 16
_PENDING = 256
"""Changes of one shard before they are merged into its array: a merge then takes well under a millisecond."""


class NameCounts:
    """A multiset of name hashes."""

    __slots__ = ("_shards",)

    def __init__(self) -> None:
        self._shards = [_Shard() for _ in range(_SHARDS)]

    def add(self, hashes: Iterable[int]) -> None:
        for value in hashes:
            self._shards[value % _SHARDS].change(value, 1)

    def remove(self, hashes: Iterable[int]) -> None:
        """The opposite of `add`; only what was added may be removed."""
        for value in hashes:
            self._shards[value % _SHARDS].change(value, -1)

    def count(self, value: int) -> int:
        return self._shards[value % _SHARDS].count(value)


class _Shard:
    __slots__ = ("_changes", "_settled")

    def __init__(self) -> None:
        self._settled = array("q")
        self._changes: dict[int, int] = {}

    def count(self, value: int) -> int:
        start = bisect_left(self._settled, value)
        return bisect_right(self._settled, value, start) - start + self._changes.get(value, 0)

    def change(self, value: int, by: int) -> None:
        self._changes[value] = self._changes.get(value, 0) + by
        if len(self._changes) > _PENDING:
            self._merge()

    def _merge(self) -> None:
        gone = {value: -by for value, by in self._changes.items() if by < 0}
        kept = self._settled.tolist() if not gone else [value for value in self._settled if not _take(gone, value)]
        kept.extend(value for value, by in self._changes.items() for _ in range(by))
        kept.sort()
        self._settled = array("q", kept)
        self._changes.clear()


def _take(gone: dict[int, int], value: int) -> bool:
    left = gone.get(value, 0)
    if left:
        gone[value] = left - 1
    return left > 0
