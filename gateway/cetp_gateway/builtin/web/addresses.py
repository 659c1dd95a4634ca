"""Which IP addresses the web tools may speak to: public ones, unless the owner has opened the host. Plain functions.

The address is what is judged, after the name was looked up; so it does not matter in which form a page or model writes
it (decimal, octal, IPv4 within IPv6) or what a name means a moment later.
"""

import ipaddress
from typing import Final

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_CLOSED: Final = tuple(
    map(
        ipaddress.ip_network,
        (
            "192.0.0.0/24",  # protocols' own, and a cloud's metadata (RFC 6890)
            "192.88.99.0/24",  # 6to4 relays (RFC 7526)
            "168.63.129.16/32",  # Azure's metadata and agents, on an address that looks public
            "64:ff9b:1::/48",  # translation within one network (RFC 8215)
            "2001::/32",  # Teredo
            "::/96",  # IPv4-compatible, long gone (RFC 4291, 2.5.5.1)
            "3fff::/20",  # documentation (RFC 9637)
            "5f00::/16",  # segment routing (RFC 9602)
            "fec0::/10",  # site-local, long gone (RFC 3879)
        ),
    )
)
_TRANSLATED: Final = ipaddress.IPv6Network("64:ff9b::/96")


def is_public(text: str) -> bool:
    """Whether an address, as a look-up gives it, is one of the internet at large; False for what is none at all."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    inner = _inner(address)
    return _is_open(address) if inner is None else _is_open(inner)


def _is_open(address: Address) -> bool:
    return (
        address.is_global
        and not (address.is_multicast or address.is_reserved)
        and not any(address in network for network in _CLOSED if network.version == address.version)
    )


def _inner(address: Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address that an IPv6 one leads to."""
    if isinstance(address, ipaddress.IPv4Address):
        return None
    if address in _TRANSLATED:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour
