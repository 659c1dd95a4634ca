"""Tells devices that want to know when the tools of anybody have changed (spec 13.4, `cetp.notices`).

Changes come in bursts, when phones come back after a restart for instance; one notice speaks for all of a burst.
"""

import asyncio
from types import TracebackType

from cetp_gateway.api import ToolRegistry
from cetp_gateway.devices import Devices

QUIET_S = 0.2
"""A burst is over when nothing has changed for so long."""
LONGEST_S = 1.0
"""No change waits longer for its notice."""


class Notices:
    """Sends notices for the length of a block."""

    def __init__(self, registry: ToolRegistry, devices: Devices) -> None:
        self._registry = registry
        self._devices = devices
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._began_at = self._changed_at = 0.0

    def __enter__(self) -> "Notices":
        self._unsubscribe = self._registry.subscribe(self._changed)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._unsubscribe()
        if self._timer is not None:
            self._timer.cancel()

    def _changed(self, _: int) -> None:
        self._changed_at = self._loop.time()
        if self._timer is None:
            self._began_at = self._changed_at
            self._timer = self._loop.call_later(QUIET_S, self._look)

    def _look(self) -> None:
        due_at = min(self._changed_at + QUIET_S, self._began_at + LONGEST_S)
        if self._loop.time() < due_at:
            self._timer = self._loop.call_at(due_at, self._look)
            return
        self._timer = None
        self._devices.tools_changed(self._registry.revision)
