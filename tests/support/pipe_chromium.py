"""Chromium for tests: the one that is there, or Debian's. `python -m support.pipe_chromium` provides it beforehand."""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from cetp_gateway.errors import BrowserUnusable
from cetp_gateway.pipe.browser import find_chromium

INSTALL_S = 600
LOCK = Path(tempfile.gettempdir()) / "cetp-chromium-install.lock"


def require_chromium() -> Path:
    """The browser's path; skips the test, with the reason, where there is none and none can be installed."""
    try:
        return provided()
    except BrowserUnusable as missing:
        pytest.skip(missing.message)


def provided() -> Path:
    """The browser's path. Installs it where that can be done (root on Debian), once, whoever comes first.

    Raises:
        BrowserUnusable: it is not there and cannot be installed from here; the text says what to do.
    """
    try:
        return find_chromium()
    except BrowserUnusable:
        if os.geteuid() != 0 or shutil.which("apt-get") is None:
            raise
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if shutil.which("chromium") is None:
            print("Installing chromium", file=sys.stderr, flush=True)
            _apt_get("update")
            _apt_get("install", "--yes", "--no-install-recommends", "chromium")
    return find_chromium()


def _apt_get(*words: str) -> None:
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    ended = subprocess.run(
        ["apt-get", "-q", *words], env=environment, capture_output=True, text=True, timeout=INSTALL_S, check=False
    )
    if ended.returncode != 0:
        raise BrowserUnusable(f"apt-get {' '.join(words)} failed: {ended.stderr[-2000:]}")


if __name__ == "__main__":
    try:
        provided()
    except BrowserUnusable as unusable:
        print(f"{unusable.message} Tests that need it are skipped.", file=sys.stderr)
