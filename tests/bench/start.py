"""Row 7: memory and start of an idle gateway, against the smallest application on the same server."""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from .child import Child, process
from .cores import SERVER_CORE
from .effort import Effort
from .gateway_process import START_S, get, listening_port, serve
from .processes.samples import median
from .table import RESIDENT, START, Result
from .usage import resident_kib

_REST_S = 0.3


class Started(msgspec.Struct, frozen=True):
    """A process that has answered once."""

    first_answer_s: float
    resident_kib: float


def measure(effort: Effort) -> Iterator[Result]:
    """Both in turn, so that a busy machine slows both. The gateway's data folder exists from the first start on."""
    with tempfile.TemporaryDirectory(prefix="cetp-bench-") as folder:
        ours, bare = [], []
        for _ in range(1 + effort.repetitions):
            bare.append(_start(lambda: process("echo_servers", "starlette", core=SERVER_CORE), _ready_port))
            ours.append(_start(lambda: serve(Path(folder)), listening_port))
    # The first starts fill caches of the system's.
    pairs = list(zip(ours, bare, strict=True))[1:]
    yield Result(
        RESIDENT,
        tuple(one.resident_kib / other.resident_kib for one, other in pairs),
        _versus([one.resident_kib / 1024 for one in ours], [other.resident_kib / 1024 for other in bare], "MiB"),
    )
    yield Result(
        START,
        tuple(one.first_answer_s / other.first_answer_s for one, other in pairs),
        _versus([one.first_answer_s * 1e3 for one in ours], [other.first_answer_s * 1e3 for other in bare], "ms"),
    )


def _start(begin: Callable[[], Child], port_of: Callable[[Child], int]) -> Started:
    with begin() as child:
        get(port_of(child), "/health")
        took = time.perf_counter() - child.started_at
        time.sleep(_REST_S)
        return Started(took, resident_kib(child.pid))


def _ready_port(child: Child) -> int:
    return int(child.value("READY", within_s=START_S)["port"])


def _versus(ours: list[float], bare: list[float], unit: str) -> str:
    return f"{median(ours[1:]):.0f} against {median(bare[1:]):.0f} {unit}"
