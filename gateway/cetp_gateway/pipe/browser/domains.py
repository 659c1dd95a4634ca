"""Domains of addresses and origins (pipe 9). Plain functions of text.

A domain is a host in lower case, with `:port` exactly when it is not the scheme's default. Addresses that
browsers and other programs read differently (backslashes, blanks, numbers in odd notations) have none.
"""

import ipaddress
import re

import idna

PORTS = {"http": 80, "https": 443}
_URL = re.compile(r"(https?)://([^/?#]+)(.*)", re.IGNORECASE | re.DOTALL)
_AUTHORITY = re.compile(r"(?P<user>.*@)?(?P<host>\[[^\]@]*\]|[^:\[\]@]+)(?::(?P<port>[0-9]{0,5}))?", re.DOTALL)
_ODD = re.compile(r"[\x00-\x20\x7f\\]")
_LABELS = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")


def domain_of(url: str) -> str | None:
    """Domain of an absolute http or https address; None when it has none or could be read in two ways."""
    parts = _URL.fullmatch(url)
    if parts is None or _ODD.search(url):
        return None
    authority = _AUTHORITY.fullmatch(parts[2])
    if authority is None:
        return None
    host, port = _host(authority["host"]), int(authority["port"] or PORTS[parts[1].lower()])
    if host is None or port > 65535:
        return None
    return host if port == PORTS[parts[1].lower()] else f"{host}:{port}"


def domain_of_origin(origin: str) -> str | None:
    """Domain of an origin as a browser says it; None for opaque ones and schemes without domains."""
    scheme, separator, rest = origin.partition("://")
    return rest if separator and scheme in PORTS and rest else None


def _host(written: str) -> str | None:
    if written.startswith("["):
        return _ipv6(written[1:-1])
    host = written.lower() if written.isascii() else _a_labels(written)
    if host is None or not _LABELS.fullmatch(host):
        return None
    # A last label that is a number makes browsers read an IPv4 address, in many notations.
    last = host.rstrip(".").rpartition(".")[2]
    return host if not _NUMBER.fullmatch(last) or _is_ipv4(host) else None


def _a_labels(written: str) -> str | None:
    try:
        return idna.encode(written, uts46=True, transitional=False).decode().lower()
    except idna.IDNAError:
        return None


def _is_ipv4(host: str) -> bool:
    try:
        return str(ipaddress.IPv4Address(host)) == host
    except ValueError:
        return False


def _ipv6(written: str) -> str | None:
    """Shortened as RFC 5952 has it; those with a zone or an IPv4 part are written differently by programs."""
    try:
        address = ipaddress.IPv6Address(written)
    except ValueError:
        return None
    return None if address.scope_id or address.ipv4_mapped else f"[{address}]"
