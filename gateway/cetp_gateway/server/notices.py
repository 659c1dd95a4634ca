"""Tells devices that want to know when the tools of anybody have changed (spec 13.4, `cetp.notices`).

Changes come in bursts, when phones come back after a restart for instance; one notice speaks for all of a burst.
"""

import asyncio
from types import TracebackType

from cetp_gateway.api import ToolRegistry
from cetp_gateway.devices import Devices

BURST_S = 0.2
"""A notice leaves so long after the first change that it speaks of."""


class Notices:
    """Sends notices for the length of a block."""

    def __init__(self, registry: ToolRegistry, devices: Devices) -> None:
        self._registry = registry
        self._devices = devices
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> "Notices":
        self._unsubscribe = self._registry.subscribe(self._changed)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._unsubscribe()
        if self._timer is not None:
            self._timer.cancel()

    def _changed(self, _: int) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(BURST_S, self._send)

    def _send(self) -> None:
        self._timer = None
        self._devices.tools_changed(self._registry.revision)
