"""A real Chromium as the executor of the browser pipe (pipe 8, 9).

Playwright is loaded when a browser is opened, not before. Above: the command line. Below: `pipe.values`.
"""

from cetp_gateway.pipe.browser.domains import domain_of
from cetp_gateway.pipe.browser.finding import find_chromium
from cetp_gateway.pipe.browser.opening import open_browser
from cetp_gateway.pipe.browser.settings import BrowserSettings

__all__ = ["BrowserSettings", "domain_of", "find_chromium", "open_browser"]
