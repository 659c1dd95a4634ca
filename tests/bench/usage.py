"""What the kernel counts for a process (Linux, /proc)."""

from pathlib import Path


def cpu_us(pid: int) -> float:
    """Microseconds on a processor so far, all threads that are alive, user and kernel (schedstat: exact, no ticks)."""
    stats = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(stat.read_text().split()[0]) for stat in stats) / 1e3


def anonymous_kib(pid: int) -> float:
    """KiB that the process itself allocated and touched: heap and stacks, nothing of mapped files."""
    return _rollup(pid, "Anonymous:")


def resident_kib(pid: int) -> float:
    """KiB in memory, shared libraries included."""
    return _rollup(pid, "Rss:")


def _rollup(pid: int, key: str) -> float:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith(key):
            return float(line.split()[1])
    raise ValueError(f"no {key} of process {pid}")
