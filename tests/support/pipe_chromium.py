"""Chromium for tests: the one that is there, or Debian's, installed once by whichever worker comes first."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from cetp_gateway.errors import BrowserUnusable
from cetp_gateway.pipe.browser import find_chromium

INSTALL_S = 600
LOCK = Path(tempfile.gettempdir()) / "cetp-chromium-install.lock"


def require_chromium() -> Path:
    """The browser's path. Installs it where that can be done (root on Debian); skips with the reason elsewhere."""
    try:
        return find_chromium()
    except BrowserUnusable as missing:
        if os.geteuid() != 0 or shutil.which("apt-get") is None:
            pytest.skip(missing.message)
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if shutil.which("chromium") is None:
            _apt_get("update")
            _apt_get("install", "--yes", "--no-install-recommends", "chromium")
    return find_chromium()


def _apt_get(*words: str) -> None:
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    ended = subprocess.run(
        ["apt-get", "-q", *words], env=environment, capture_output=True, text=True, timeout=INSTALL_S, check=False
    )
    if ended.returncode != 0:
        pytest.fail(f"apt-get {' '.join(words)} failed: {ended.stderr[-2000:]}")
