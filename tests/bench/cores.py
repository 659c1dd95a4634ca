"""Which processor core does what: the server under test has one of its own, everything else shares another."""

import os
from collections.abc import Iterator
from contextlib import contextmanager


def allowed_cores() -> list[int]:
    """The cores this process may use; a single one stands in for both where the system cannot say."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]


CORES = allowed_cores()
SERVER_CORE = CORES[0]
LOAD_CORE = CORES[1] if len(CORES) > 1 else CORES[0]


@contextmanager
def pinned(core: int) -> Iterator[None]:
    """Processes started within the block stay on this core."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, set(CORES))
