"""`python -m tests.bench`: measure, print one table, and fail when a steady row falls short."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator

from . import android, calls, fleets, memory, pipe, start, stops, tool_search
from .cores import CORES
from .effort import FULL, QUICK, Effort
from .report import as_json, as_table, shortfalls
from .table import ROWS, Result

Measure = Callable[[Effort], Iterator[Result]]

MEASURES: dict[tuple[str, ...], Measure] = {
    ("1", "2"): calls.measure,
    ("3",): calls.measure_tail,
    ("4", "5"): fleets.measure,
    ("6",): stops.measure,
    ("7",): start.measure,
    ("8",): memory.measure,
    ("9",): android.measure,
    ("10",): pipe.measure,
    ("11",): tool_search.measure,
}
"""By the numbers of their rows."""


def main() -> int:
    """Run; the process's exit code."""
    chosen = _arguments()
    effort = QUICK if chosen.quick else FULL
    if len(CORES) < 2:
        _tell("Only one core: the server shares it with the load, so rows 1 to 3 show more than the gateway.")
    started = time.perf_counter()
    results = list(_measure(effort, chosen.only))
    print(as_json(results) if chosen.json else as_table(results))
    _tell(f"{time.perf_counter() - started:.0f} s")
    if failed := shortfalls(results):
        _tell(failed)
    return 1 if failed else 0


def _measure(effort: Effort, only: set[str]) -> Iterator[Result]:
    for numbers, measure in MEASURES.items():
        if not only or only.intersection(numbers):
            for result in measure(effort):
                if not only or result.row.number in only:
                    _tell(f"{result.row.key}: {result.value:.2f} {result.row.unit} ({result.note})")
                    yield result


def _arguments() -> argparse.Namespace:
    rows = ", ".join(dict.fromkeys(row.number for row in ROWS))
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--only", type=_numbers, default=set(), metavar="N,…", help=f"rows to measure, of {rows}")
    parser.add_argument("--quick", action="store_true", help="shorter and with fewer phones; coarser figures")
    parser.add_argument("--json", action="store_true", help="print JSON in place of the table")
    return parser.parse_args()


def _numbers(text: str) -> set[str]:
    numbers = set(text.split(","))
    if unknown := numbers - {row.number for row in ROWS}:
        raise argparse.ArgumentTypeError(f"there is no row {', '.join(sorted(unknown))}")
    return numbers


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
