"""Whether a page is on its way to another one, by what Chromium tells of its main frame."""

import asyncio
from typing import Any

import msgspec

DOUBT_S = 1.0
"""A navigation that was requested and has not begun by then does not: the page's own question was answered with no,
or the address belongs to another program.
"""


class _Frame(msgspec.Struct):
    id: str
    parentId: str = ""  # noqa: N815  (the protocol's name)


class _Navigation(msgspec.Struct):
    """Of Page.frameNavigated, frameStartedNavigating, frameRequestedNavigation and frameStoppedLoading."""

    frameId: str = ""  # noqa: N815
    frame: _Frame | None = None
    disposition: str = "currentTab"
    navigationType: str = ""  # noqa: N815
    url: str = ""


class Leaving:
    """Fed with the events of one page's DevTools session, in their order."""

    def __init__(self, main_frame: str) -> None:
        self._main = main_frame
        self._still = asyncio.Event()
        self._still.set()
        self._doubt: asyncio.TimerHandle | None = None
        self.arrivals = 0
        """Documents that the main frame has got so far."""
        self.came_to_nothing = False
        """The last one asked for never came: a download, an answer without content, or a stop."""

    @property
    def under_way(self) -> bool:
        """A document has been asked for and is not there."""
        return not self._still.is_set()

    async def over(self, limit_s: float) -> bool:
        """Wait until the page stays where it is; False when time runs out before."""
        try:
            async with asyncio.timeout(limit_s):
                await self._still.wait()
        except TimeoutError:
            return False
        return True

    def requested(self, event: dict[str, Any]) -> None:
        """Page.frameRequestedNavigation: a script, a link or a form wants to go elsewhere."""
        told = msgspec.convert(event, _Navigation)
        if told.frameId == self._main and told.disposition == "currentTab" and self._still.is_set():
            self._still.clear()
            self._doubt = asyncio.get_running_loop().call_later(DOUBT_S, self._still.set)

    def started(self, event: dict[str, Any]) -> None:
        """Page.frameStartedNavigating: the browser has begun, for whatever reason."""
        told = msgspec.convert(event, _Navigation)
        if told.frameId == self._main and told.navigationType not in ("sameDocument", "historySameDocument"):
            self._still.clear()
            self._trust()

    def arrived(self, event: dict[str, Any]) -> None:
        """Page.frameNavigated: a new document is there."""
        told = msgspec.convert(event, _Navigation)
        if told.frame is not None and told.frame.id == self._main:
            self.arrivals += 1
            self.came_to_nothing = False
            self._end()

    def stopped(self, event: dict[str, Any]) -> None:
        """Page.frameStoppedLoading: while a document is on its way, it will not come."""
        if msgspec.convert(event, _Navigation).frameId == self._main and self.under_way:
            self.came_to_nothing = True
            self._end()

    def _end(self) -> None:
        self._trust()
        self._still.set()

    def _trust(self) -> None:
        if self._doubt is not None:
            self._doubt.cancel()
            self._doubt = None
