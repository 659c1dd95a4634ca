"""Which phones there are to be."""

import msgspec

from .toolset import Likeness, Way


class FleetPlan(msgspec.Struct, frozen=True, kw_only=True):
    """How many phones, where they connect, and how they register."""

    port: int
    token: str
    phones: int
    likeness: Likeness
    ways: tuple[Way, ...] = (Way.PLAIN, Way.OURS)
    """Taken in turn."""

    def way_of(self, number: int) -> Way:
        return self.ways[number % len(self.ways)]
