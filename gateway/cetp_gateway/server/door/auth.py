"""Who is calling: the token of a paired device or of the command line, or anybody while pairing is off.

Order and spelling are those of the ClawSeed wire protocol: `Authorization: Bearer T` (one blank, upper and lower
case as written), on sockets then a sub-protocol `bearer.T`, then `?token=T`. An empty value lets the next one
speak; a wrong one does not.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final
from urllib.parse import parse_qs

import msgspec

from cetp_gateway.devices import PairedDevices
from cetp_gateway.server.door.local_tokens import LocalTokens
from cetp_gateway.server.requests.errors import HttpError
from cetp_gateway.server.requests.headers import Headers

_BEARER = b"Bearer "
_PROTOCOL = "bearer."


class CallerKind(StrEnum):
    """By what right somebody calls."""

    DEVICE = "device"
    LOCAL = "local"
    """With a token that the gateway gave out on its own machine."""
    ANYONE = "anyone"
    """Without one: a public route, or pairing is off."""


class Caller(msgspec.Struct, frozen=True):
    """Who is calling."""

    kind: CallerKind
    device_id: str = ""
    """Of a paired device."""

    @property
    def client(self) -> str:
        """For the policy: a paired device's id, `local`, or empty when nobody had to say."""
        return "local" if self.kind is CallerKind.LOCAL else self.device_id


_DEVICE: Final = CallerKind.DEVICE
ANYONE = Caller(CallerKind.ANYONE)
LOCAL = Caller(CallerKind.LOCAL)


class Authenticator:
    """Turns tokens into callers."""

    def __init__(self, paired: PairedDevices, local_tokens: LocalTokens, *, required: bool) -> None:
        self._paired = paired
        self._local_tokens = local_tokens
        self._required = required

    def by_header(self, headers: Headers) -> Caller:
        """The caller of an HTTP request; raises HttpError (401)."""
        return self._caller(_from_header(headers))

    def by_socket(self, headers: Headers, subprotocols: Sequence[str], query: bytes) -> Caller:
        """The caller of a WebSocket's opening request; raises HttpError (401)."""
        return self._caller(_from_header(headers) or _from_subprotocols(subprotocols) or _from_query(query))

    def _caller(self, token: str) -> Caller:
        if token:
            device = self._paired.authenticate(token)
            if device is not None:
                self._paired.touch(device.id)
                return Caller(_DEVICE, device.id)
            if self._local_tokens.is_good(token):
                return LOCAL
        if not self._required:
            return ANYONE
        raise HttpError(
            401,
            "This token is not known here: it is wrong or was revoked. Pair again with `cetp pair`."
            if token
            else "A token is needed: send it as Authorization: Bearer TOKEN. `cetp pair` shows how to get one.",
        )


def _from_header(headers: Headers) -> str:
    value = headers.get(b"authorization", b"")
    return value[len(_BEARER) :].decode("latin-1") if value.startswith(_BEARER) else ""


def _from_subprotocols(offered: Sequence[str]) -> str:
    tokens = (item.removeprefix(_PROTOCOL) for item in offered if item.startswith(_PROTOCOL))
    return next((token for token in tokens if token), "")


def _from_query(query: bytes) -> str:
    tokens = parse_qs(query.decode("latin-1")).get("token", [])
    return tokens[0] if tokens else ""
