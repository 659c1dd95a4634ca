"""The tools that tell of the person's devices: which there are, whether they are reachable, and what they offer.

Above: `all_tools`. Below: whoever implements `KnownDevices`.
"""

import difflib
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Protocol

import msgspec
from msgspec import Meta

from cetp_gateway.api import CallContext, Effect
from cetp_gateway.builtin.builtin_tool import BuiltinTool, NotPossible, json_text
from cetp_gateway.builtin.declared import Asked, Declared


class KnownDevice(msgspec.Struct, frozen=True, kw_only=True):
    """A device that is paired or connected."""

    id: str
    name: str
    connected: bool
    last_seen: datetime | None
    """Its last sign of life; None when it has never shown itself."""
    tools: int
    """Offered by it now."""


class DeviceDetails(msgspec.Struct, frozen=True, kw_only=True):
    """What else is known of one."""

    paired_at: datetime | None
    """None for one that needed no token."""
    apps: dict[str, int]
    """Tools that each app offers, by its package; those without one under an empty name."""
    held_tools: int
    """Tools that are offered to nobody."""
    open_calls: int


class KnownDevices(Protocol):
    """All devices of the gateway."""

    def devices(self) -> Sequence[KnownDevice]:
        """The paired ones, the oldest pairing first, then others that are connected."""
        ...

    def details(self, device_id: str) -> DeviceDetails:
        """Of one of them."""
        ...


class DevicesListAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Nothing."""


class DevicesList(BuiltinTool[DevicesListAsked]):
    """All devices in short."""

    declared = Declared(
        DevicesListAsked,
        name="devices_list",
        effect=Effect.READS,
        description="Lists the person's devices: whether each is connected or since when not, and its number of tools.",
    )

    def __init__(self, known: KnownDevices) -> None:
        self._known = known

    async def run(self, asked: DevicesListAsked, context: CallContext) -> str:  # noqa: ARG002
        return json_text({"devices": [_row(device) for device in self._known.devices()]})


class DeviceStateAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which device."""

    device: Annotated[str, Meta(min_length=1, max_length=200, description="Its id or its name.")]


class DeviceState(BuiltinTool[DeviceStateAsked]):
    """One device in full."""

    declared = Declared(
        DeviceStateAsked,
        name="device_state",
        effect=Effect.READS,
        description="Tells of one device: connected or since when not, its apps and their tools, calls under way.",
    )

    def __init__(self, known: KnownDevices) -> None:
        self._known = known

    async def run(self, asked: DeviceStateAsked, context: CallContext) -> str:  # noqa: ARG002
        device = _find(self._known.devices(), asked.device)
        details = self._known.details(device.id)
        paired = {"paired": _moment(details.paired_at)} if details.paired_at else {}
        return json_text(
            {
                **_row(device),
                **paired,
                "apps": {app or "(not said)": count for app, count in details.apps.items()},
                "held_tools": details.held_tools,
                "open_calls": details.open_calls,
            }
        )


def _row(device: KnownDevice) -> dict[str, Any]:
    row = {"id": device.id, "name": device.name, "connected": device.connected, "tools": device.tools}
    if not device.connected:
        row["away_since"] = _moment(device.last_seen) if device.last_seen else "never seen"
    return row


def _find(devices: Sequence[KnownDevice], wanted: str) -> KnownDevice:
    by_id = [device for device in devices if device.id == wanted]
    found = by_id or [device for device in devices if device.name.casefold() == wanted.strip().casefold()]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(device.id for device in found)
        raise NotPossible(f"device: {len(found)} devices are called {wanted!r}.", hint=f"Take one of the ids {ids}.")
    names = [device.name for device in devices]
    near = difflib.get_close_matches(wanted, names, n=3, cutoff=0.4) or names[:3]
    hint = f"There are {', '.join(near)}; devices_list shows all." if near else "No device is known yet."
    raise NotPossible(f"device: none is called {wanted!r}.", hint=hint)


def _moment(at: datetime) -> str:
    return at.astimezone().isoformat(timespec="minutes")
