"""Where this machine's Chromium is. Starts nothing."""

import os
import shutil
from pathlib import Path

from cetp_gateway.errors import BrowserUnusable

VARIABLE = "CHROMIUM_PATH"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium(wanted: str = "") -> Path:
    """The wanted executable, else that of CHROMIUM_PATH, else the first of NAMES on PATH.

    Raises:
        BrowserUnusable: there is none; the message says how to get one.
    """
    named = wanted or os.environ.get(VARIABLE, "")
    if named:
        return _runnable(named)
    for name in NAMES:
        if path := shutil.which(name):
            return Path(path)
    raise BrowserUnusable(
        f"No Chromium was found. Install one (apt-get install chromium) or set {VARIABLE} to its path."
    )


def _runnable(named: str) -> Path:
    path = shutil.which(named)
    if path is None:
        raise BrowserUnusable(f"The browser {named!r} is not there or cannot be run. Correct its path or {VARIABLE}.")
    return Path(path)
