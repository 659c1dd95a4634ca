"""A web address as a model, a person or a page writes it, checked before anything is looked up. Plain functions."""

from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from typing import Final

import msgspec

from cetp_gateway.builtin.builtin_tool import NotPossible

URL_CHARS: Final = 2000
ADDRESS_NOT_ALLOWED: Final = "ADDRESS_NOT_ALLOWED"
"""The code of refusals that no other try changes."""
_PORTS: Final = {"http": 80, "https": 443}
_WELL_KNOWN: Final = 1024
"""Below it, only the web's own ports: other services of those take a request for commands of theirs."""


class WebUrl(msgspec.Struct, frozen=True):
    """One that may be looked up. `text` has no fragment."""

    text: str
    scheme: str
    host: str
    """In lower case, without brackets; international names in ASCII."""
    port: int


HostRule = Callable[[str], bool]
"""Whether a host is one of the owner's list."""


def read_url(text: str) -> WebUrl:
    """Check an address; raises NotPossible that says what is wrong with it."""
    import httpx  # noqa: PLC0415  (60 ms that only these tools need)

    if len(text) > URL_CHARS:
        raise _refused(f"it has {len(text)} characters, more than {URL_CHARS}.")
    try:
        url = httpx.URL(text.strip()).copy_with(fragment=None)
    except (httpx.InvalidURL, ValueError, TypeError):
        raise _refused("it is no URL.") from None
    if url.scheme not in _PORTS:
        raise _refused("only http:// and https:// are fetched.")
    if url.userinfo:
        raise _refused("it holds a name or password, which do not belong there.")
    host = url.raw_host.decode("ascii", "replace").lower().strip("[]").rstrip(".")
    if not host:
        raise _refused("it names no host.")
    port = url.port or _PORTS[url.scheme]
    if port < _WELL_KNOWN and port not in _PORTS.values():
        raise _refused(f"port {port} belongs to another service than the web.")
    return WebUrl(str(url), url.scheme, host, port)


def host_rule(globs: Iterable[str]) -> HostRule:
    """From the owner's globs, such as `*.example.org`; `*` goes across dots, letter case does not count."""
    wanted = [glob.strip().lower() for glob in globs if glob.strip()]
    return lambda host: any(fnmatchcase(host, glob) for glob in wanted)


def _refused(reason: str) -> NotPossible:
    return NotPossible(f"url: {reason}", code=ADDRESS_NOT_ALLOWED)
