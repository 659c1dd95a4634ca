"""Rows 1 to 3: tool calls."""

from collections.abc import Callable, Iterator

from .effort import Effort
from .fleet import fleet
from .gateway_process import gateway_process
from .load import Load, load, tool_calls
from .processes.fleet_plan import FleetPlan
from .processes.samples import median
from .processes.toolset import Likeness
from .table import CPU, ROUND_TRIP, TAIL, Result
from .yardsticks import yardstick

PHONES = 100
IN_FLIGHT = 64

Calls = Callable[[int, float], Load]
"""Calls tools: so many in flight, for so many seconds."""


def measure(effort: Effort) -> Iterator[Result]:
    """The round trip and the CPU of a call."""
    with gateway_process() as gateway:
        plan = FleetPlan(port=gateway.port, token=gateway.token, phones=PHONES, likeness=Likeness.NAMES_DIFFER)
        requests = tool_calls(gateway.port, gateway.token, PHONES)

        def calls(in_flight: int, seconds: float) -> Load:
            return load(gateway.port, gateway.pid, requests, in_flight=in_flight, seconds=seconds)

        with fleet(plan):
            # Until every tool has been called once, a call also makes its tool ready.
            calls(IN_FLIGHT, 3 * effort.seconds)
            yield _round_trip(calls, effort)
            yield _cpu(calls, effort)


def _round_trip(calls: Calls, effort: Effort) -> Result:
    ratios, called, echoed = [], [], []
    with yardstick("websockets") as echo:
        for _ in range(effort.repetitions):
            echoed.append(echo.echo_round_trip_us(effort.seconds))
            called.append(calls(1, effort.seconds).p50_us)
            ratios.append(called[-1] / echoed[-1])
    note = f"{median(called):.0f} µs; E = {median(echoed):.0f} µs"
    return Result(ROUND_TRIP, tuple(ratios), note)


def _cpu(calls: Calls, effort: Effort) -> Result:
    ratios, spent, bare = [], [], []
    with yardstick("uvicorn") as stack:
        for _ in range(effort.repetitions):
            bare.append(stack.get_and_echo_cpu_us(4 * effort.seconds))
            spent.append(calls(IN_FLIGHT, 2 * effort.seconds).server_cpu_us)
            ratios.append(spent[-1] / bare[-1])
    note = f"{median(spent):.1f} µs; S = {median(bare):.1f} µs"
    return Result(CPU, tuple(ratios), note)


def measure_tail(effort: Effort) -> Iterator[Result]:
    """The tail with a large fleet."""
    with gateway_process() as gateway:
        plan = FleetPlan(port=gateway.port, token=gateway.token, phones=effort.phones, likeness=Likeness.NAMES_DIFFER)
        requests = tool_calls(gateway.port, gateway.token, effort.phones)
        with fleet(plan):
            load(gateway.port, gateway.pid, requests, in_flight=IN_FLIGHT, seconds=2 * effort.seconds)
            loads = [
                load(gateway.port, gateway.pid, requests, in_flight=IN_FLIGHT, seconds=2 * effort.seconds)
                for _ in range(effort.repetitions)
            ]
    p50, p99 = (median([getattr(each, key) for each in loads]) / 1e3 for key in ("p50_us", "p99_us"))
    ratios = tuple(each.p99_us / each.p50_us for each in loads)
    yield Result(TAIL, ratios, f"{p50:.2f} / {p99:.2f} ms")
