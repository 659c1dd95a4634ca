"""Gives memory back to the system once a burst of registrations is over.

When a thousand phones come back after a restart, their registrations wait for each other as text; the C library
keeps what that took, 100 KiB a phone, because small things that stay lie in between. Knows nothing of tools.
Above: serve.
"""

import asyncio
from collections.abc import Callable
from types import TracebackType

from cetp_gateway.api import ToolRegistry

QUIET_S = 1.0
"""A burst is over when the tools have not changed for so long."""


def give_back() -> None:
    """Give free pages between used ones back; a few milliseconds. Only glibc has this; elsewhere nothing happens."""
    # ctypes takes 1 MiB and some milliseconds, and nobody needs it before the first burst.
    import ctypes  # noqa: PLC0415

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


class Settling:
    """Watches a registry for the length of a block."""

    def __init__(
        self, registry: ToolRegistry, *, give_back: Callable[[], None] = give_back, quiet_s: float = QUIET_S
    ) -> None:
        self._registry = registry
        self._give_back = give_back
        self._quiet_s = quiet_s
        self._loop = asyncio.get_running_loop()
        self._changed_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> "Settling":
        self._unsubscribe = self._registry.subscribe(self._changed)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._unsubscribe()
        if self._timer is not None:
            self._timer.cancel()

    def _changed(self, _: int) -> None:
        self._changed_at = self._loop.time()
        if self._timer is None:
            self._timer = self._loop.call_later(self._quiet_s, self._look)

    def _look(self) -> None:
        due_at = self._changed_at + self._quiet_s
        if self._loop.time() < due_at:
            self._timer = self._loop.call_at(due_at, self._look)
            return
        self._timer = None
        self._give_back()
