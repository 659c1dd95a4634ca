"""Of which origin a page and its frames truly are, and whether that is the one a command expects (pipe 9).

Asked in a JavaScript world of our own: what a page's scripts make of `window.origin` does not reach it.
"""

import asyncio

import msgspec
from playwright.async_api import Error, Frame

from cetp_gateway.pipe.browser.domains import domain_of, domain_of_origin
from cetp_gateway.pipe.browser.notes import well_formed
from cetp_gateway.pipe.browser.tab import Tab
from cetp_gateway.pipe.browser.world import World

TITLE = 1000
"""Characters of a page's title."""
_FACTS = "({origin: self.origin, url: location.href, title: document.title})"
_INHERITING = ("", "about:blank", "about:srcdoc")


class Facts(msgspec.Struct, frozen=True):
    """What the browser says of a document, all at one moment."""

    origin: str
    """Such as https://example.org, or null."""
    url: str
    title: str

    @property
    def domain(self) -> str | None:
        return domain_of_origin(self.origin)


class Origins:
    """Of one tab."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self.world = World(tab.devtools, tab.main_frame)

    async def facts(self, limit_s: float) -> Facts:
        """Of the page; TimeoutError when it does not answer."""
        async with asyncio.timeout(limit_s):
            facts = msgspec.convert(await self.world.ask(_FACTS), Facts)
        return msgspec.structs.replace(facts, title=well_formed(facts.title)[:TITLE])

    async def is_of(self, frame: Frame, domain: str) -> bool:
        """Whether a frame below the main one is of this domain, by itself or inherited."""
        if _written_domain(frame) != domain:
            return False
        own = await self._own_origin(frame)
        return own is None or domain_of_origin(own) == domain

    async def _own_origin(self, frame: Frame) -> str | None:
        """What a frame with a process of its own says, as others' and sandboxed ones have; None without one."""
        try:
            devtools = await self.tab.page.context.new_cdp_session(frame)
        except Error as error:
            if "does not have a separate CDP session" in error.message:
                return None
            raise
        try:
            tree = await devtools.send("Page.getFrameTree")
            return str(await World(devtools, tree["frameTree"]["frame"]["id"]).ask("self.origin"))
        finally:
            await devtools.detach()


def _written_domain(frame: Frame) -> str | None:
    """By its address; of documents that inherit their origin, by the nearest one above that has an address."""
    above: Frame | None = frame
    while above is not None and above.url in _INHERITING:
        above = above.parent_frame
    return domain_of(above.url.removeprefix("blob:")) if above is not None else None
