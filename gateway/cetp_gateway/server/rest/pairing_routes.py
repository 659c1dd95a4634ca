"""`/pair` and `/pair/code`: how a device gets its token."""

from typing import Annotated

import msgspec
from msgspec import Meta

from cetp_gateway.errors import PairingOff
from cetp_gateway.server.rest.routes import Access, Asked, Parameter, Route


class PairCode(msgspec.Struct, frozen=True):
    """The code is null when pairing is off, somebody is paired already, or the caller is not on this machine."""

    success: bool
    pairing_required: bool
    pairing_code: str | None


class PairRequest(msgspec.Struct, frozen=True):
    """What the device wants to be called in lists."""

    device_name: Annotated[str, Meta(max_length=200)] = ""


class Paired(msgspec.Struct, frozen=True, kw_only=True):
    """The token is shown this once; the gateway keeps a digest only."""

    paired: bool
    persisted: bool
    """False: it could not be saved and is good until the gateway stops."""
    token: str
    device_id: str
    message: str


async def show_code(asked: Asked[None]) -> PairCode:
    code = asked.service.first_code() if asked.local else None
    return PairCode(True, asked.service.requires_pairing, code)


async def pair(asked: Asked[PairRequest]) -> Paired:
    service = asked.service
    if not service.requires_pairing:
        raise PairingOff("Pairing is switched off here (server.require_pairing); no token is needed.")
    service.desk.redeem(asked.parameters.get("X-Pairing-Code", ""), asked.address)
    new = await service.runtime.paired.pair(asked.body.device_name)
    return Paired(
        paired=True,
        persisted=new.persisted,
        token=new.token,
        device_id=new.device.id,
        message="Paired. Keep the token; it is not shown again."
        if new.persisted
        else "Paired until the gateway stops: the token could not be saved. Check its data folder.",
    )


ROUTES = (
    Route(
        method="GET",
        path="/pair/code",
        summary="The first pairing code, for callers on the gateway's own machine while nobody is paired",
        handler=show_code,
        access=Access.PUBLIC,
        responses={200: PairCode},
    ),
    Route(
        method="POST",
        path="/pair",
        summary="Trade a pairing code for a token",
        handler=pair,
        access=Access.PUBLIC,
        parameters=(Parameter(name="X-Pairing-Code", where="header", description="1234-5678-9012, good once"),),
        request=PairRequest,
        responses={200: Paired},
        refusals=(429,),
    ),
)
