"""The devices as the model's tools see them: the paired ones and those that are connected, with their tools."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from cetp_gateway.api import ToolRegistry, ToolState
from cetp_gateway.builtin.devices import DeviceDetails, KnownDevice
from cetp_gateway.devices import Devices, Link, PairedDevice, PairedDevices


class DevicesAtHand:
    """Implements builtin's KnownDevices."""

    def __init__(self, paired: PairedDevices, devices: Devices, registry: ToolRegistry) -> None:
        self._paired = paired
        self._devices = devices
        self._registry = registry

    def devices(self) -> Sequence[KnownDevice]:
        paired = self._paired.list()
        known = {device.id for device in paired}
        # Without pairing nobody is paired, and a client that says which device it is, is one.
        others = {link.device_id: link for link in self._devices if link.device_id and link.owner not in known}
        return [
            *(self._row(device.id, device.name, self._links(device.id), device) for device in paired),
            *(self._row(device_id, link.label, [link], None) for device_id, link in others.items()),
        ]

    def details(self, device_id: str) -> DeviceDetails:
        links = self._links(device_id)
        rows = [row for link in links for row in self._registry.rows(link)]
        usable = [row for row in rows if row.state is not ToolState.QUARANTINED]
        paired = next((device for device in self._paired.list() if device.id == device_id), None)
        return DeviceDetails(
            paired_at=paired.paired_at if paired else None,
            apps=dict(sorted(Counter(row.app for row in usable).items())),
            held_tools=len(rows) - len(usable),
            open_calls=sum(link.open_calls for link in links),
        )

    def _links(self, device_id: str) -> list[Link]:
        own = [link for link in self._devices if link.owner == device_id]
        return own or [link for link in self._devices if link.device_id == device_id]

    def _row(self, device_id: str, name: str, links: Sequence[Link], paired: PairedDevice | None) -> KnownDevice:
        return KnownDevice(
            id=device_id,
            name=name,
            connected=bool(links),
            last_seen=_heard(links) if links else paired.last_seen if paired else None,
            tools=sum(self._registry.counts(link).usable for link in links),
        )


def _heard(links: Sequence[Link]) -> datetime:
    silent_s = min(asyncio.get_running_loop().time() - link.heard_at for link in links)
    return datetime.now(UTC) - timedelta(seconds=max(0.0, silent_s))
