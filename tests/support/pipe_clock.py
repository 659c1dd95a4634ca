"""An event loop whose clock jumps to the next timer when nothing is to be read: waits of any length take no time.

For links over pipes within one process; other processes do not live by this clock.
"""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

_STUCK_S = 5.0


class Stuck(Exception):
    """Nothing is to be read and no timer runs: the test waits for what never comes."""


class _Selector(selectors.DefaultSelector):
    jumped = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if ready or timeout == 0:
            return ready
        if timeout is None:
            ready = super().select(_STUCK_S)
            if not ready:
                raise Stuck
            return ready
        self.jumped += timeout
        return []


class JumpingLoop(asyncio.SelectorEventLoop):
    """Begins at 0 seconds."""

    def __init__(self) -> None:
        self._jumping = _Selector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.jumped


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run to the end on a clock that jumps."""
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(main)
