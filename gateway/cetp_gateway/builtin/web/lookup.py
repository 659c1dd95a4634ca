"""From a host's name to the addresses that a request may go to: looked up once, and what comes of it is used.

Above: `client`. Below: `addresses`.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from cetp_gateway.builtin.builtin_tool import NotPossible
from cetp_gateway.builtin.web.addresses import is_public
from cetp_gateway.builtin.web.url import ADDRESS_NOT_ALLOWED, WebUrl

Lookup = Callable[[str, int], Awaitable[Sequence[str]]]
"""The addresses of a host, best first; OSError when it has none."""

UNREACHABLE: Final = "UNREACHABLE"
_TRIED: Final = 4
"""Addresses of one host."""


async def look_up(host: str, port: int) -> Sequence[str]:
    """As the system does it."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


async def addresses_of(url: WebUrl, lookup: Lookup, *, private: bool) -> Sequence[str]:
    """Where a request for this URL may go, the best first.

    Args:
        url: has passed `read_url`.
        lookup: of its host.
        private: the owner has opened this host, so that its addresses are not judged.

    Raises:
        NotPossible: the host has no address, or none that may be spoken to.
    """
    try:
        found = await lookup(url.host, url.port)
    # Names can be such that no look-up can be made: UnicodeError is a ValueError.
    except (OSError, ValueError):
        raise NotPossible(f"The host {url.host} is not known.", code=UNREACHABLE) from None
    fit = [address for address in found if private or is_public(address)]
    if not fit:
        raise NotPossible(
            f"{url.host} is within a private network or on this machine.",
            code=ADDRESS_NOT_ALLOWED,
            hint="The gateway's owner can open it with builtin.allow_private_hosts.",
        )
    return fit[:_TRIED]
