"""Fetches one page: each hop looked up once, judged, and asked at exactly the address that was judged.

Bounded in time, bytes and redirections. Above: `web_tools`, `web_search`. Below: httpx, imported with the first page.
"""

import asyncio
import ssl
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin

import msgspec

from cetp_gateway._version import __version__
from cetp_gateway.api import Origin
from cetp_gateway.builtin.builtin_tool import NotPossible
from cetp_gateway.builtin.web.body import Body, ContentType, read_content_type
from cetp_gateway.builtin.web.lookup import UNREACHABLE, Lookup, addresses_of, look_up
from cetp_gateway.builtin.web.url import HostRule, WebUrl, read_url

if TYPE_CHECKING:
    import httpx

USER_AGENT: Final = f"cetp-toolkit/{__version__}"
WEB: Final = Origin("web")
"""Marks what pages say as data."""
REDIRECTIONS: Final = 5
_CONNECT_S: Final = 10.0
_MOVED: Final = frozenset({301, 302, 303, 307, 308})
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_HEADERS: Final = {
    "user-agent": USER_AGENT,
    "accept": "text/html, application/xhtml+xml, application/json, text/*, application/xml;q=0.9",
    "accept-encoding": "gzip",
}
NO_HEADERS: Final[Mapping[str, str]] = {}

MayGo = Callable[[WebUrl], bool]
"""Whether a redirection may lead to this URL."""


class Page(msgspec.Struct, frozen=True):
    """A page as it came."""

    url: str
    """Where it was found in the end."""
    type: ContentType
    content: bytes


class WebClient:
    """One object for all web tools; it keeps no connection open.

    Args:
        most_bytes: of one answer, unpacked.
        timeout_s: for one page with all its redirections.
        private: hosts whose addresses are not judged.
        lookup: of host names.
        tls: what vouches for servers; None takes httpx's own authorities.
    """

    def __init__(
        self,
        *,
        most_bytes: int,
        timeout_s: float,
        private: HostRule,
        lookup: Lookup = look_up,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._most_bytes = most_bytes
        self._timeout_s = timeout_s
        self._private = private
        self._lookup = lookup
        self._tls = tls

    async def get(self, text: str, deadline: float, *, may_go: MayGo, headers: Mapping[str, str] = NO_HEADERS) -> Page:
        """Fetch a page.

        Args:
            text: its URL.
            deadline: the event loop's time by which the caller wants an answer.
            may_go: judges where redirections lead, besides the rules for every address.
            headers: of every request, so `may_go` must keep them from strangers.

        Raises:
            NotPossible: the address is not allowed, nobody answers there, or what answers cannot be read.
        """
        until = min(deadline, asyncio.get_running_loop().time() + self._timeout_s)
        try:
            async with asyncio.timeout_at(until):
                return await self._follow(read_url(text), may_go, headers)
        except TimeoutError:
            raise NotPossible("The page did not come in time.", code=UNREACHABLE) from None

    async def _follow(self, url: WebUrl, may_go: MayGo, headers: Mapping[str, str]) -> Page:
        private = self._private(url.host)
        for _ in range(REDIRECTIONS + 1):
            found = await self._ask(url, headers, private=private)
            if isinstance(found, Page):
                return found
            # A public page must not lead into the owner's own network.
            private = private and self._private(found.host)
            if not may_go(found):
                raise NotPossible(
                    f"The page leads to {found.host}, which this tool may not open.", code="ADDRESS_NOT_ALLOWED"
                )
            url = found
        raise NotPossible(f"The page leads on more than {REDIRECTIONS} times.", code=UNREACHABLE)

    async def _ask(self, url: WebUrl, headers: Mapping[str, str], *, private: bool) -> Page | WebUrl:
        """The page, or where it is said to be."""
        import httpx  # noqa: PLC0415  (60 ms that only these tools need)

        addresses = await addresses_of(url, self._lookup, private=private)
        if self._tls is None:
            self._tls = await asyncio.to_thread(httpx.create_ssl_context)
        # A client for each hop: connections are shared by address, and two hosts may have the same.
        async with httpx.AsyncClient(
            verify=self._tls, trust_env=False, follow_redirects=False, timeout=httpx.Timeout(None, connect=_CONNECT_S)
        ) as client:
            for number, address in enumerate(addresses, start=1):
                try:
                    return await self._receive(client, url, address, headers)
                except (httpx.ConnectError, httpx.ConnectTimeout):
                    if number == len(addresses):
                        raise NotPossible(f"{url.host} does not answer.", code=UNREACHABLE) from None
                except (httpx.HTTPError, httpx.InvalidURL):
                    raise NotPossible(f"The connection to {url.host} broke.", code=UNREACHABLE) from None
        raise AssertionError("addresses_of gives at least one")

    async def _receive(
        self, client: "httpx.AsyncClient", url: WebUrl, address: str, headers: Mapping[str, str]
    ) -> Page | WebUrl:
        async with client.stream(
            "GET",
            _at(url, address),
            headers={**_HEADERS, **headers, "host": _host(url)},
            # The certificate must be that of the name, not of the address.
            extensions={"sni_hostname": url.host},
        ) as response:
            if response.status_code in _MOVED and "location" in response.headers:
                return read_url(_joined(url, response.headers["location"]))
            if not response.is_success:
                raise NotPossible(f"{url.host} answers with status {response.status_code}.", code="HTTP_ERROR")
            kind = read_content_type(response.headers.get("content-type", ""))
            body = Body(response.headers.get("content-encoding", ""), self._most_bytes)
            async for piece in response.aiter_raw():
                body.add(piece)
            return Page(url.text, kind, body.content)


def _at(url: WebUrl, address: str) -> "httpx.URL":
    """The same URL at an address in place of its host, so that nobody looks the name up again."""
    import httpx  # noqa: PLC0415

    return httpx.URL(url.text).copy_with(host=address)


def _host(url: WebUrl) -> str:
    host = f"[{url.host}]" if ":" in url.host else url.host
    return host if url.port == _DEFAULT_PORTS[url.scheme] else f"{host}:{url.port}"


def _joined(url: WebUrl, location: str) -> str:
    try:
        return urljoin(url.text, location)
    except ValueError:
        raise NotPossible(f"{url.host} leads to an address that is none.", code=UNREACHABLE) from None
