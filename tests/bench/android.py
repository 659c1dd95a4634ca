"""Row 9: the bridge on Android's framework in one JVM, as `tests/android/phone` builds it, and the size of the APKs."""

import sys
from collections.abc import Iterator

from .child import ROOT, Child
from .cores import SERVER_CORE
from .effort import Effort
from .processes.samples import median
from .table import BRIDGE_APK, DISCOVERY, OVERHEAD, SAMPLE_APK, Result, Row

_START_S = 180.0
_MEASURED_S = 120.0
_CALLS = 500


def measure(effort: Effort) -> Iterator[Result]:
    """What has been built is measured; of the rest is said what builds it."""
    if (ROOT / "tests/android/target/phone/runtime.txt").is_file():
        yield from _bridge(effort)
    else:
        print("9a, 9b: not built; run make android", file=sys.stderr)
    yield from _apk(BRIDGE_APK, "bridge")
    yield from _apk(SAMPLE_APK, "sample")


def _bridge(effort: Effort) -> Iterator[Result]:
    command = ("-m", "support.phone_measure", str(effort.repetitions), str(_CALLS))
    with Child(*command, core=SERVER_CORE, settings={"PYTHONPATH": str(ROOT / "tests")}) as child:
        discoveries = child.value("DISCOVERY", within_s=_START_S)["ms"]
        calls = child.value("CALLS", within_s=_MEASURED_S)["ms"]
    note = "the apps' own time included"
    yield Result(DISCOVERY, tuple(took / 1e3 for took in discoveries), note)
    note = f"p99 {sorted(calls)[len(calls) * 99 // 100]:.2f} ms; the app's own time included"
    yield Result(OVERHEAD, (median(calls),), note)


def _apk(row: Row, name: str) -> Iterator[Result]:
    apk = ROOT / "build" / "apk" / f"{name}.apk"
    if apk.is_file():
        yield Result(row, (apk.stat().st_size / 1e6,), f"{apk.stat().st_size} bytes")
    else:
        print(f"{row.key}: not built; run make apk", file=sys.stderr)
