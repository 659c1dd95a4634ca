"""Where an outgoing webhook may go: the URL is checked, and its host's addresses at every try.

The connection is made to the very address that was checked, so a name that answers differently the second time
gains nothing. Above: outgoing, book. Below: the web tools' rule of which addresses are public.
"""

import asyncio
import socket
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import msgspec

from cetp_gateway.builtin.web.addresses import is_public
from cetp_gateway.errors import ScheduleRefused

MAX_CHARS: Final = 2000


class Target(msgspec.Struct, frozen=True):
    """A URL with an address in its host's place, and the host for the Host header and the certificate."""

    url: str
    host: str
    """With its port, as the Host header has it."""
    name: str
    """Without."""


class NotAllowed(Exception):
    """The host has an address that webhooks may not reach."""


class NoAddress(Exception):
    """The host has no address, now."""


def check_url(url: str) -> None:
    """Raise ScheduleRefused for what is no usable URL."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1) and url.isprintable()
    except ValueError:
        usable = False
    if not usable or len(url) > MAX_CHARS or " " in url:
        raise ScheduleRefused("webhook: this is no http(s) URL.")
    if parts.username or parts.password:
        raise ScheduleRefused("webhook: a URL with a user name or password would show it in lists; leave them out.")


async def resolve(url: str, *, private: bool) -> Target:
    """The first of the host's addresses, all of which must be allowed. Raises NotAllowed, NoAddress."""
    parts = urlsplit(url)
    name, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    try:
        found = await asyncio.get_running_loop().getaddrinfo(name, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NoAddress(f"{name} has no address.") from None
    addresses = [str(row[4][0]) for row in found]
    if not private and not all(is_public(address) for address in addresses):
        raise NotAllowed(
            f"{name} is an address of this machine or of a private network (schedules.webhook_private_addresses)."
        )
    chosen = addresses[0]
    literal = f"[{chosen}]" if ":" in chosen else chosen
    pinned = urlunsplit((parts.scheme, f"{literal}:{port}", parts.path or "/", parts.query, ""))
    return Target(pinned, parts.netloc, name)
