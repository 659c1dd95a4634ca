"""The names of one toolset as sorted 64-bit hashes: 8 bytes a name, found by bisection, shared between equal sets.

The hashes are Python's own, keyed anew in every process, so nobody outside can make two names collide.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable


class NameTable:
    """Distinct names in the order of their hashes; a name's index is its tool's place in the toolset."""

    __slots__ = ("__weakref__", "hashes")

    def __init__(self, hashes: Iterable[int]) -> None:
        self.hashes = array("q", hashes)

    def __len__(self) -> int:
        return len(self.hashes)

    def index(self, name: str) -> int:
        """Where the name's tool stands; -1 when it is not there."""
        hashes, wanted = self.hashes, hash(name)
        place = bisect_left(hashes, wanted)
        return place if place < len(hashes) and hashes[place] == wanted else -1
