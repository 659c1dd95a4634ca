"""How a browser is to be started."""

from pathlib import Path

import msgspec


class BrowserSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Nothing need be set."""

    executable: str = ""
    """Path of the browser; empty takes that of CHROMIUM_PATH, else the first one on PATH."""
    headless: bool = True
    files: Path | None = None
    """Folder for screenshots, made when missing; None takes a temporary one that ends with the browser."""
    arguments: tuple[str, ...] = ()
    """Further arguments of Chromium, such as --proxy-server=…"""
