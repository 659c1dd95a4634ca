"""Does a request come from this very machine, straight? Only then may it pair, revoke or stop the gateway.

The peer's address alone does not say so: a proxy on the same machine brings strangers under the loopback address.
"""

from starlette.types import Scope

from cetp_gateway.loopback import is_loopback
from cetp_gateway.server.door.hosts import parse_authority, same_origin
from cetp_gateway.server.requests.headers import Headers

_PROXY_HEADERS = frozenset(
    {
        b"forwarded",
        b"via",
        b"x-real-ip",
        b"x-client-ip",
        b"true-client-ip",
        b"cf-connecting-ip",
    }
)


def is_local(scope: Scope, headers: Headers) -> bool:
    """Loopback peer, no trace of a proxy, called under a loopback name, and not by a page of another origin."""
    host = parse_authority(headers.get(b"host", b"").decode("latin-1"))
    if host is None or not is_loopback(host[0]):
        return False
    return is_loopback(peer_address(scope)) and not _was_forwarded(headers) and not _is_foreign(headers, host)


def peer_address(scope: Scope) -> str:
    """The IP address at the other end of the connection; empty when there is none."""
    client = scope.get("client")
    return client[0] if client else ""


def _was_forwarded(headers: Headers) -> bool:
    return any(name in _PROXY_HEADERS or name.startswith(b"x-forwarded") for name in headers)


def _is_foreign(headers: Headers, host: tuple[str, int | None]) -> bool:
    """A browser says so: by Origin, or, for requests that carry none, by Sec-Fetch-Site."""
    origin = headers.get(b"origin")
    if origin is not None and not same_origin(origin.decode("latin-1"), host):
        return True
    return headers.get(b"sec-fetch-site", b"none") not in {b"none", b"same-origin"}
