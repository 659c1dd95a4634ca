"""Which of the devices that a run wants are here with their tools, and since when the others have been away.

Above: run_keeper, book. Below: devices, tools' registry.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

import msgspec

from cetp_gateway.api import ToolRegistry
from cetp_gateway.devices import Devices, Link, PairedDevices


class Absent(msgspec.Struct, frozen=True):
    """A device that cannot be used."""

    name: str
    since: datetime | None = None
    """Its last sign of life, UTC; None when there is none on record."""
    connected: bool = False
    """It is here, but offers no tools."""


class Presence:
    """Names are those of paired devices or those that devices give themselves, or ids; case does not matter."""

    def __init__(self, devices: Devices, paired: PairedDevices, registry: ToolRegistry) -> None:
        self._devices = devices
        self._paired = paired
        self._registry = registry

    def on_change(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back whenever a device's tools come or go, until the returned function is called."""
        return self._registry.subscribe(lambda _: callback())

    def absent(self, wanted: Sequence[str]) -> list[Absent]:
        """Those that are not here."""
        if not wanted:
            return []
        owners = self._owners()
        here = [(_names(link, owners), self._registry.counts(link).usable > 0) for link in self._devices]
        return [self._absent(name, here) for name in wanted if not _is_here(name, here)]

    def knows(self, name: str) -> bool:
        """Whether a device of this name is paired, connected, or has been since the start."""
        return name.casefold() in set(self._all_names()) or bool(self._devices.left(name.casefold()))

    def known(self) -> list[str]:
        """Names for people."""
        labels = {link.label for link in self._devices if link.device_id}
        return sorted({device.name for device in self._paired.list()} | labels)

    def _all_names(self) -> Iterator[str]:
        for device in self._paired.list():
            yield from (device.id.casefold(), device.name.casefold())
        for link in self._devices:
            yield from _names(link, {})

    def _owners(self) -> dict[str, str]:
        return {device.id: device.name for device in self._paired.list()}

    def _absent(self, name: str, here: Sequence[tuple[set[str], bool]]) -> Absent:
        key = name.casefold()
        if any(key in names for names, _ in here):
            return Absent(name, connected=True)
        seen = [
            device.last_seen
            for device in self._paired.list()
            if device.last_seen is not None and key in (device.id.casefold(), device.name.casefold())
        ]
        return Absent(name, max([*seen, *self._devices.left(key)], default=None))


def _names(link: Link, owners: dict[str, str]) -> set[str]:
    names = (link.owner, owners.get(link.owner, ""), link.label, link.device_id)
    return {name.casefold() for name in names if name}


def _is_here(name: str, here: Sequence[tuple[set[str], bool]]) -> bool:
    return any(name.casefold() in names and has_tools for names, has_tools in here)
