"""Where a phone reaches this gateway, and what is in the way. Plain functions but for one question to the system."""

import ipaddress
import socket
from collections.abc import Callable
from urllib.parse import urlsplit

import msgspec

from cetp_gateway.errors import SettingsError
from cetp_gateway.loopback import is_loopback
from cetp_gateway.settings import ServerSettings

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_PRIVATE = [
    ipaddress.ip_network(text)
    for text in (
        "127.0.0.0/8",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",
        "::1",
        "fe80::/10",
        "fc00::/7",
    )
]
"""Where the bridge app goes without TLS (spec 13.5)."""
_LOCAL_SUFFIXES = (".local", ".lan", ".internal", ".home.arpa", ".localhost")
_EVERYWHERE = {"0.0.0.0": "192.0.2.1", "::": "2001:db8::1"}  # noqa: S104
"""The addresses that stand for all of this machine's own, and one of the same kind that is nobody's."""


class Reach(msgspec.Struct, frozen=True):
    """One of the two is always there."""

    url: str | None
    """`http(s)://HOST:PORT` for phones."""
    advice: str
    """What to change first; empty when nothing is in the way."""


def outward_address(host: str) -> str:
    """The address that this machine uses towards others; its name in the local network when it has no route."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as asking:
        try:
            # Sends nothing: the system only chooses the way.
            asking.connect((_EVERYWHERE[host], 9))
            return str(asking.getsockname()[0])
        except OSError:
            return f"{socket.gethostname().partition('.')[0].lower()}.local"


def reach(
    server: ServerSettings, port: int, *, encrypted: bool, outward: Callable[[str], str] = outward_address
) -> Reach:
    """Where phones come in: `server.public_url`, or this machine's own address.

    Args:
        server: where it listens, and perhaps a public URL.
        port: the one it listens on.
        encrypted: it has TLS itself.
        outward: the address that stands for all of this machine's own, when it listens on all.
    """
    url = _public_url(server) if server.public_url else _own_url(server.host, outward, port, encrypted=encrypted)
    if url is None:
        return Reach(
            None, "The gateway listens for this machine alone. For phones start it with: cetp serve --host 0.0.0.0"
        )
    if url.startswith("http://") and not may_be_unencrypted(urlsplit(url).hostname or ""):
        return Reach(url, "Phones refuse this address without TLS: set server.tls to self-signed or files.")
    return Reach(url, "")


def check_public_url(server: ServerSettings) -> None:
    """Raises SettingsError when `server.public_url` is no address for phones."""
    if server.public_url:
        _public_url(server)


def may_be_unencrypted(host: str) -> bool:
    """Does the bridge app go there without TLS? A name is asked for once more by its address, on the phone."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(_LOCAL_SUFFIXES)
    plain = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return any((plain or address) in network for network in _PRIVATE)


def _public_url(server: ServerSettings) -> str:
    try:
        parts = urlsplit(server.public_url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        port, parts = None, urlsplit("")
    beside = parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc
    if port is None or not parts.hostname or beside:
        raise SettingsError("server.public_url: give it as https://HOST or https://HOST:PORT, without a path.")
    return f"{parts.scheme}://{_bracketed(parts.hostname)}:{port}"


def _own_url(host: str, outward: Callable[[str], str], port: int, *, encrypted: bool) -> str | None:
    if is_loopback(host):
        return None
    shown = outward(host) if host in _EVERYWHERE else host
    return f"{'https' if encrypted else 'http'}://{_bracketed(shown)}:{port}"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
