"""The way in: a browser for as long as a block runs. The only place that loads Playwright."""

import importlib.util
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from cetp_gateway.errors import BrowserUnusable
from cetp_gateway.pipe.browser.finding import find_chromium
from cetp_gateway.pipe.browser.settings import BrowserSettings
from cetp_gateway.pipe.executor import Executor


@asynccontextmanager
async def open_browser(settings: BrowserSettings | None = None) -> AsyncIterator[Executor]:
    """Start Chromium with an empty profile; at the end it, its processes and the profile are gone.

    Raises:
        BrowserUnusable: Playwright or Chromium is missing, or Chromium does not start.
    """
    settings = settings or BrowserSettings()
    if importlib.util.find_spec("playwright") is None:
        raise BrowserUnusable("Playwright is not installed. Get it with: pip install 'cetp-toolkit[browser]'")
    executable = find_chromium(settings.executable)
    # 0.2 s and 20 MB that commands without a browser need not pay.
    from cetp_gateway.pipe.browser.chromium import Chromium  # noqa: PLC0415
    from cetp_gateway.pipe.browser.executor import ChromiumExecutor  # noqa: PLC0415
    from cetp_gateway.pipe.browser.shots import ScreenshotFolder  # noqa: PLC0415

    with ScreenshotFolder(settings.files) as shots:
        async with Chromium(executable, settings) as chromium:
            yield ChromiumExecutor(chromium, shots)
