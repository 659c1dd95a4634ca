"""`/admin/*`: pairing codes, tokens for the command line, paired devices, the end. For local callers only."""

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from cetp_gateway.errors import PairingOff
from cetp_gateway.server.door.local_tokens import LIFE_S
from cetp_gateway.server.door.pairing_link import PairingLink
from cetp_gateway.server.requests.errors import HttpError
from cetp_gateway.server.rest.routes import NOT_BLANK, Access, Asked, Parameter, Route, matching


class AdminCode(msgspec.Struct, frozen=True):
    """The code that pairs now, null when there is none."""

    success: bool
    pairing_required: bool
    pairing_code: str | None
    message: str
    link: str | None = None
    """The same as a pairing link (spec 13.5), with a new code only; null when no phone can reach the gateway."""
    advice: str = ""
    """What keeps phones away, and what to change; empty when nothing does."""


class LocalToken(msgspec.Struct, frozen=True):
    """A token for the command line on this machine."""

    token: str
    expires_in_s: int


class PairedRow(msgspec.Struct, frozen=True, kw_only=True):
    """A paired device; times are ISO 8601 with a zone."""

    id: str
    name: str
    paired_at: datetime
    last_seen: datetime | None
    connected: bool


class PairedList(msgspec.Struct, frozen=True):
    """All paired devices, the oldest pairing first."""

    devices: list[PairedRow]


class DeviceName(msgspec.Struct, frozen=True):
    """How a device shall be called."""

    name: Annotated[str, Meta(min_length=1, max_length=200), NOT_BLANK]


class DeviceRevoked(msgspec.Struct, frozen=True):
    """The device's token is worth nothing any more; its sockets were closed with 4401."""

    revoked: bool
    id: str


class Stopping(msgspec.Struct, frozen=True):
    """The gateway is about to stop."""

    status: str


async def show_code(asked: Asked[None]) -> AdminCode:
    service = asked.service
    if not service.requires_pairing:
        return AdminCode(True, False, None, "Pairing is switched off; no token is needed.")
    code = service.desk.current()
    return AdminCode(True, True, code, "" if code else "There is no code now; POST /admin/paircode/new makes one.")


async def new_code(asked: Asked[None]) -> AdminCode:
    service = asked.service
    if not service.requires_pairing:
        raise PairingOff("Pairing is switched off here (server.require_pairing); no token is needed.")
    minutes = service.runtime.settings.limits.pairing_code_s / 60
    code, door = service.desk.renew(), service.doorplate()
    link = str(PairingLink(gateway=door.url, code=code, pin=door.pin)) if door.url else None
    return AdminCode(True, True, code, f"Good once, for {minutes:g} minutes.", link, door.advice)


async def new_token(asked: Asked[None]) -> LocalToken:
    return LocalToken(asked.service.local_tokens.issue(), round(LIFE_S))


async def show_devices(asked: Asked[None]) -> PairedList:
    runtime = asked.service.runtime
    connected = {link.owner for link in runtime.devices}
    return PairedList(
        [
            PairedRow(
                id=device.id,
                name=device.name,
                paired_at=device.paired_at,
                last_seen=device.last_seen,
                connected=device.id in connected,
            )
            for device in runtime.paired.list()
        ]
    )


async def rename_device(asked: Asked[DeviceName]) -> DeviceName:
    device_id, name = asked.parameters["id"], asked.body.name.strip()
    if not name:
        raise HttpError(400, "name: it must have at least one letter.")
    device = await asked.service.runtime.paired.rename(device_id, name)
    if device is None:
        raise _unknown(device_id)
    return DeviceName(device.name)


async def revoke_device(asked: Asked[None]) -> DeviceRevoked:
    device_id = asked.parameters["id"]
    if not await asked.service.runtime.paired.revoke(device_id):
        raise _unknown(device_id)
    return DeviceRevoked(True, device_id)


async def shutdown(asked: Asked[None]) -> Stopping:
    asked.service.stop()
    return Stopping("stopping")


def _unknown(device_id: str) -> HttpError:
    return HttpError(404, f"No device with the id {device_id} is paired; `cetp devices` lists them.")


_ID = Parameter(name="id", where="path", type=Annotated[str, matching("[A-Za-z0-9_.-]{1,128}")])

ROUTES = (
    Route(
        method="GET",
        path="/admin/paircode",
        summary="The pairing code that is good now",
        handler=show_code,
        access=Access.LOCAL,
        responses={200: AdminCode},
    ),
    Route(
        method="POST",
        path="/admin/paircode/new",
        summary="Make a pairing code; the one before is worth nothing any more",
        handler=new_code,
        access=Access.LOCAL,
        responses={200: AdminCode},
    ),
    Route(
        method="POST",
        path="/admin/token",
        summary="A token for an hour, kept in memory, for the command line on this machine",
        handler=new_token,
        access=Access.LOCAL,
        responses={200: LocalToken},
    ),
    Route(
        method="GET",
        path="/admin/devices",
        summary="All paired devices",
        handler=show_devices,
        access=Access.LOCAL,
        responses={200: PairedList},
        refusals=(503,),
    ),
    Route(
        method="PATCH",
        path="/admin/devices/{id}",
        summary="Rename a paired device",
        handler=rename_device,
        access=Access.LOCAL,
        parameters=(_ID,),
        request=DeviceName,
        responses={200: DeviceName},
        refusals=(404, 503),
    ),
    Route(
        method="DELETE",
        path="/admin/devices/{id}",
        summary="Revoke a device's token and close its sockets",
        handler=revoke_device,
        access=Access.LOCAL,
        parameters=(_ID,),
        responses={200: DeviceRevoked},
        refusals=(404, 503),
    ),
    Route(
        method="POST",
        path="/admin/shutdown",
        summary="Stop the gateway in order",
        handler=shutdown,
        access=Access.LOCAL,
        responses={200: Stopping},
    ),
)
