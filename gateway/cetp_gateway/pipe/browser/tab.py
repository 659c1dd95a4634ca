"""One page with its DevTools session: what happens in it, and the way to ask it something with a bound.

Knows nothing of commands and domains. Above: `chromium`, `origins`, the actions.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Self, TypeVar

from playwright.async_api import CDPSession, Dialog, Download, Error, Page

from cetp_gateway.pipe.browser.leaving import Leaving
from cetp_gateway.pipe.browser.notes import Notes

LOG = logging.getLogger("cetp_gateway.pipe")
CLOSE_S = 3.0
DOWNLOAD_S = 0.5
"""Between a page that does not come and the word that it is a download."""

T = TypeVar("T")
_Listening = tuple[Any, str, Callable[..., Any]]
"""Who tells, of what, to whom."""


class Tab:
    """The page that commands act on."""

    def __init__(self, page: Page, devtools: CDPSession, main_frame: str) -> None:
        self.page = page
        self.devtools = devtools
        self.main_frame = main_frame
        """Chromium's id of the page's main frame; does not change."""
        self.notes = Notes()
        self.leaving = Leaving(main_frame)
        self.gone = asyncio.Event()
        """Set for good when the page has crashed or was closed."""
        self.stuck = False
        """It has not answered; only a fresh tab helps."""
        self.leave_on_request = False
        """The command itself wants to leave the page, so a page that asks whether to is told yes."""
        self._downloads = asyncio.Event()
        self._listening: list[_Listening] = []

    @classmethod
    async def of(cls, page: Page) -> Self:
        """Listen to a page from now on."""
        devtools = await page.context.new_cdp_session(page)
        tree = await devtools.send("Page.getFrameTree")
        tab = cls(page, devtools, tree["frameTree"]["frame"]["id"])
        tab._listen()
        await devtools.send("Page.enable")
        return tab

    async def close(self) -> None:
        """Close the page, whatever it thinks of that."""
        self.retire()
        try:
            async with asyncio.timeout(CLOSE_S):
                await self.page.close(run_before_unload=False)
        except (Error, TimeoutError) as error:
            LOG.debug("a page did not close: %s", type(error).__name__)

    async def settle_downloads(self) -> None:
        """When a page that was asked for never came, wait a moment for the word that it is a download."""
        if self.leaving.came_to_nothing:
            self.leaving.came_to_nothing = False
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(DOWNLOAD_S):
                    await self._downloads.wait()
        self._downloads.clear()

    async def unless_gone(self, work: Coroutine[Any, Any, T]) -> T | None:
        """The work's value; None when the page went before it ended."""
        task, gone = asyncio.ensure_future(work), asyncio.ensure_future(self.gone.wait())
        try:
            await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
            return await task if task.done() else None
        finally:
            gone.cancel()
            await _cancelled(task)

    def retire(self) -> None:
        """Listen no longer; the page counts as gone."""
        for source, event, handler in self._listening:
            source.remove_listener(event, handler)
        self._listening.clear()
        self.gone.set()

    def _listen(self) -> None:
        page, context, devtools = self.page, self.page.context, self.devtools
        heard: list[_Listening] = [
            (page, "crash", self._went),
            (page, "close", self._went),
            # Who listens keeps Chromium from opening the system's own chooser.
            (page, "filechooser", lambda _: None),
            (context, "page", self._close_popup),
            (context, "dialog", self._answer),
            (devtools, "Page.frameRequestedNavigation", self._requested),
            (devtools, "Page.frameStartedNavigating", self.leaving.started),
            (devtools, "Page.frameNavigated", self.leaving.arrived),
            (devtools, "Page.frameStoppedLoading", self.leaving.stopped),
            (devtools, "Page.windowOpen", lambda event: self.notes.popup_announced(event["url"])),
            (devtools, "Page.downloadWillBegin", self._downloading),
        ]
        for source, event, handler in heard:
            source.on(event, handler)
        self._listening = heard

    def _went(self, _: Page) -> None:
        LOG.info("the page has crashed or was closed")
        self.retire()

    def _requested(self, event: dict[str, Any]) -> None:
        self.leaving.requested(event)
        if event.get("disposition") in ("newTab", "newWindow"):
            self.notes.popup_announced(event["url"])

    def _downloading(self, event: dict[str, Any]) -> None:
        self.notes.download(event.get("suggestedFilename", ""), event["url"])
        self._downloads.set()

    async def _answer(self, dialog: Dialog) -> None:
        self.notes.dialog(dialog.type, dialog.message)
        leave = dialog.type == "beforeunload" and (self.leave_on_request or dialog.page is not self.page)
        await _if_there(dialog.accept if leave else dialog.dismiss)

    async def _close_popup(self, page: Page) -> None:
        def downloads(download: Download) -> None:
            self.notes.download(download.suggested_filename, download.url)

        self.notes.popup_came(page.url)
        page.on("download", downloads)
        await _if_there(page.close)


async def _if_there(act: Callable[[], Awaitable[None]]) -> None:
    """Dialogs and windows may go by themselves before they are answered."""
    try:
        await act()
    except Error as error:
        LOG.debug("a dialog or window was gone: %s", error.message.partition("\n")[0][:200])


async def _cancelled(task: asyncio.Future[Any]) -> None:
    if not task.done():
        task.cancel()
        await asyncio.wait({task})
    if not task.cancelled():
        task.exception()
