"""Phones that are connected to a gateway and registered, for the length of a block."""

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from .child import process
from .cores import LOAD_CORE
from .processes.fleet_plan import FleetPlan

_WITHIN_S = 150.0


class Fleet(msgspec.Struct, frozen=True):
    """How long the phones took."""

    connect_s: float
    register_s: float
    """From the first registration sent to the last one answered."""


@contextmanager
def fleet(plan: FleetPlan) -> Iterator[Fleet]:
    """Run the phones of a plan."""
    with process("phones", msgspec.json.encode(plan).decode(), core=LOAD_CORE) as phones:
        yield msgspec.convert(phones.value("READY", within_s=_WITHIN_S), Fleet)
