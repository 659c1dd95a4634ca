"""Under which names the gateway may be called, and by which web pages: the defence against DNS rebinding.

A page that has its own name point to this machine reaches the port, but it cannot choose the Host and Origin
that the browser sends. Applies to HTTP and to WebSockets alike.
"""

import ipaddress
import socket
from collections.abc import Iterable

from cetp_gateway.server.requests.errors import HttpError
from cetp_gateway.server.requests.headers import Headers
from cetp_gateway.settings.schema import ServerSettings

_DEFAULT_PORTS = {"http": 80, "https": 443}
_REMEMBERED = 256

Authority = tuple[str, int | None]
"""Host in lower case without brackets and final dot, and the port when one is given."""


class HostCheck:
    """Knows the names and origins that may pass."""

    def __init__(self, settings: ServerSettings) -> None:
        self._names = {"localhost", *_own_names(), *_bare_names((settings.host, *settings.allowed_hosts))}
        self._origins = {origin.rstrip("/").lower() for origin in settings.allowed_origins}
        # Few different pairs ever pass; remembering them spares every further request the parsing.
        self._passed: set[tuple[bytes | None, bytes | None]] = set()

    def check(self, headers: Headers) -> None:
        """Let the request pass.

        Raises:
            HttpError: 403, the Host is not one of the gateway's names, or the Origin is somebody else's.
        """
        pair = (headers.get(b"host"), headers.get(b"origin"))
        if pair in self._passed:
            return
        host = self._check_host(pair[0])
        if pair[1] is not None:
            self._check_origin(pair[1].decode("latin-1"), host)
        if len(self._passed) < _REMEMBERED:
            self._passed.add(pair)

    def _check_host(self, value: bytes | None) -> Authority:
        authority = parse_authority((value or b"").decode("latin-1"))
        if authority is None or not (authority[0] in self._names or is_address(authority[0])):
            raise HttpError(
                403,
                "The gateway does not answer to this Host. Call it by its IP address or the machine's own name, "
                "or add the name to server.allowed_hosts.",
            )
        return authority

    def _check_origin(self, value: str, host: Authority) -> None:
        if value.rstrip("/").lower() in self._origins or same_origin(value, host):
            return
        raise HttpError(
            403, "A page of another origin may not call this gateway. Its owner can add it to server.allowed_origins."
        )


def parse_authority(text: str) -> Authority | None:
    """Split `host`, `host:port` or `[ipv6]:port`; None when it is neither."""
    bracket, host, rest = text.startswith("["), text, ""
    if bracket:
        host, closed, rest = text[1:].partition("]")
        if not closed or (rest and not rest.startswith(":")):
            return None
        rest = rest[1:]
    else:
        host, _, rest = text.partition(":")
    if not host or (rest and not (rest.isascii() and rest.isdigit())):
        return None
    return host.lower().rstrip("."), int(rest) if rest else None


def same_origin(origin: str, host: Authority) -> bool:
    """Does the Origin name the very place that was called? The scheme may differ: a proxy may add TLS."""
    scheme, separator, rest = origin.partition("://")
    authority = parse_authority(rest)
    default = _DEFAULT_PORTS.get(scheme.lower())
    if not separator or authority is None or default is None:
        return False
    return authority[0] == host[0] and (authority[1] or default) == (host[1] or default)


def is_address(host: str) -> bool:
    """An IP literal: no name service was asked, so nobody can have lied about it."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _own_names() -> set[str]:
    full = socket.gethostname().lower().rstrip(".")
    short = full.partition(".")[0]
    return {full, short, f"{short}.local"} - {"", ".local"}


def _bare_names(names: Iterable[str]) -> set[str]:
    return {authority[0] for name in names if (authority := parse_authority(name)) is not None}
