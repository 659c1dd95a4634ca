"""Rows 4 and 5: what a thousand phones cost that only sit there, and how fast they are taken in."""

import time
from collections.abc import Iterator

import msgspec

from .effort import Effort
from .fleet import fleet
from .gateway_process import gateway_process
from .processes.fleet_plan import FleetPlan
from .processes.samples import median
from .processes.toolset import Likeness, Way
from .table import MEMORY_DIFFERENT, MEMORY_SAME, REGISTRATION, Result
from .usage import anonymous_kib

_SETTINGS = {"CETP_SERVER_PING_INTERVAL_S": "1"}
"""A ping frees the last frame of an idle phone's connection; its usual interval would make the run long."""
_SETTLE_S = 3.0
_FULL_FLEET = 1000


class Taken(msgspec.Struct, frozen=True):
    """One fleet in a gateway of its own."""

    register_s: float
    kib_per_phone: float


def measure(effort: Effort) -> Iterator[Result]:
    """Memory of both kinds of fleet, each registered in both ways, and the time to register."""
    same = {way: _take_in(effort.phones, way, Likeness.SAME) for way in Way}
    different = {way: _take_in(effort.phones, way, Likeness.ALL_DIFFERENT) for way in Way}
    yield Result(MEMORY_SAME, _worse(same), _notes(same))
    yield Result(MEMORY_DIFFERENT, _worse(different), _notes(different))
    yield _registration(effort, different)


def _take_in(phones: int, way: Way, likeness: Likeness) -> Taken:
    with gateway_process(_SETTINGS) as gateway:
        plan = FleetPlan(port=gateway.port, token=gateway.token, phones=1, likeness=likeness, ways=(way,))
        with fleet(plan):
            # What the first phone loads belongs to nobody.
            time.sleep(_SETTLE_S / 2)
        before = anonymous_kib(gateway.pid)
        with fleet(msgspec.structs.replace(plan, phones=phones)) as arrived:
            time.sleep(_SETTLE_S)
            return Taken(arrived.register_s, (anonymous_kib(gateway.pid) - before) / phones)


def _worse(taken: dict[Way, Taken]) -> tuple[float, ...]:
    return (max(each.kib_per_phone for each in taken.values()),)


def _notes(taken: dict[Way, Taken]) -> str:
    return ", ".join(f"{way} {each.kib_per_phone:.1f}" for way, each in taken.items())


def _registration(effort: Effort, first: dict[Way, Taken]) -> Result:
    """The slower way; small fleets are counted as if they were a thousand."""
    times = {way: [taken.register_s] for way, taken in first.items()}
    for way in Way:
        for _ in range(effort.repetitions // 2):
            times[way].append(_register_once(effort.phones, way))
    scale = _FULL_FLEET / effort.phones
    slower = max(times.values(), key=median)
    note = ", ".join(f"{way} {median(each) * scale:.2f}" for way, each in times.items())
    return Result(REGISTRATION, tuple(each * scale for each in slower), note)


def _register_once(phones: int, way: Way) -> float:
    with gateway_process() as gateway:
        plan = FleetPlan(
            port=gateway.port, token=gateway.token, phones=phones, likeness=Likeness.ALL_DIFFERENT, ways=(way,)
        )
        with fleet(plan) as arrived:
            return arrived.register_s
