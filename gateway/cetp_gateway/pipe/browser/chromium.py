"""One Chromium with a profile of its own, started again when it has ended. Knows nothing of commands."""

import asyncio
import logging
import os
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Self

from playwright.async_api import BrowserContext, Error, Page, async_playwright

from cetp_gateway.errors import BrowserUnusable
from cetp_gateway.pipe.browser.settings import BrowserSettings
from cetp_gateway.pipe.browser.tab import Tab

LOG = logging.getLogger("cetp_gateway.pipe")
START_MS = 30_000
END_S = 10.0
LONG_FOLDER = 40
"""Bytes of a temporary folder's name from which on Chromium does not start: below it lies its socket, whose whole path
may have 107 (unix(7))."""


class Chromium:
    """A browser with one tab; windows that pages open are closed."""

    def __init__(self, executable: Path, settings: BrowserSettings) -> None:
        self._executable = executable
        self._settings = settings
        self._running: AsyncExitStack | None = None
        self._context: BrowserContext | None = None
        self._first: Page | None = None
        self._tab: Tab | None = None

    async def __aenter__(self) -> Self:
        await self.tab()
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self._end()

    async def tab(self) -> Tab:
        """The tab; a fresh one when the last has crashed or was closed, in a fresh browser when that has ended.

        Raises:
            BrowserUnusable: it cannot be started.
        """
        if self._tab is None or self._tab.gone.is_set():
            return await self.fresh_tab()
        return self._tab

    async def fresh_tab(self) -> Tab:
        """A tab in place of one that does not answer; raises BrowserUnusable."""
        old, self._tab = self._tab, None
        if old is not None:
            old.retire()
        self._tab = await self._opened()
        if old is not None:
            await old.close()
        return self._tab

    async def _opened(self) -> Tab:
        if self._context is not None:
            try:
                return await self._page(self._context)
            except (Error, TimeoutError) as error:
                # It has ended and not yet said so, or is past help.
                LOG.info("the browser is started again: %s", _first_line(error))
        try:
            return await self._page(await self._start())
        except (Error, TimeoutError) as error:
            raise BrowserUnusable(f"The browser opens no page: {_first_line(error)}") from error

    async def _page(self, context: BrowserContext) -> Tab:
        first, self._first = self._first, None
        async with asyncio.timeout(START_MS / 1000):
            return await Tab.of(first or await context.new_page())

    async def _start(self) -> BrowserContext:
        await self._end()
        async with AsyncExitStack() as stack:
            folder = TemporaryDirectory(prefix="cetp-browser-", dir=_temporary(), ignore_cleanup_errors=True)
            try:
                context = await self._launch(stack, Path(stack.enter_context(folder)))
            except Error as error:
                raise BrowserUnusable(f"{self._executable.name} did not start: {_first_line(error)}") from error
            self._running = stack.pop_all()
        context.on("close", self._ended)
        self._first = context.pages[0] if context.pages else None
        self._context = context
        return context

    async def _launch(self, stack: AsyncExitStack, folder: Path) -> BrowserContext:
        playwright = await stack.enter_async_context(async_playwright())
        context = await playwright.chromium.launch_persistent_context(
            folder / "profile",
            env={**os.environ, "TMPDIR": str(folder)},
            executable_path=self._executable,
            headless=self._settings.headless,
            chromium_sandbox=_sandboxed(),
            args=list(self._settings.arguments),
            accept_downloads=False,
            downloads_path=folder / "downloads",
            # An ordered end is ours to make; Chromium would go first.
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
            timeout=START_MS,
        )
        stack.push_async_callback(context.close)
        return context

    def _ended(self, context: BrowserContext) -> None:
        if context is self._context:
            LOG.info("the browser has ended")
            self._context = None

    async def _end(self) -> None:
        if self._tab is not None:
            self._tab.retire()
        self._context = self._tab = self._first = None
        running, self._running = self._running, None
        if running is not None:
            try:
                async with asyncio.timeout(END_S):
                    await running.aclose()
            except (Error, TimeoutError) as error:
                # It has ended already, in a way of its own; there is nothing left to close.
                LOG.debug("the browser ended with: %s", _first_line(error))


def _sandboxed() -> bool:
    """Chromium's sandbox does not work for root."""
    if os.name == "posix" and os.geteuid() == 0:
        LOG.warning("running as root: Chromium is started without its sandbox; prefer a user of its own")
        return False
    return True


def _first_line(error: Exception) -> str:
    return (str(error).strip().partition("\n")[0] or type(error).__name__)[:300]


def _temporary() -> str:
    """Where the browser's folder is made."""
    usual = gettempdir()
    return "/tmp" if len(os.fsencode(usual)) >= LONG_FOLDER and os.access("/tmp", os.W_OK) else usual  # noqa: S108
