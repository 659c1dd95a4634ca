"""The folder in which screenshots lie, under the names that answers give them."""

import hashlib
import os
import struct
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

import msgspec

from cetp_gateway.pipe.browser.failures import CommandFailed
from cetp_spec.pipe import PipeCode

SHOT_BYTES = 8 * 1024 * 1024
SHOTS = 50
"""Files that are kept; the oldest goes first."""


class Shot(msgspec.Struct, frozen=True, kw_only=True):
    """A screenshot that lies in the folder (pipe 8)."""

    ref: str
    media_type: str = "image/png"
    width: int
    height: int
    bytes: int
    sha256: str


class ScreenshotFolder:
    """Readable by its owner alone; a temporary one goes when the block ends."""

    def __init__(self, folder: Path | None) -> None:
        self._temporary = None if folder else TemporaryDirectory(prefix="cetp-shots-", ignore_cleanup_errors=True)
        self.path = folder or Path(self._temporary.name if self._temporary else "")
        self._count = 0
        self._kept: list[Path] = []

    def __enter__(self) -> Self:
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        return self

    def __exit__(self, *exc_info: object) -> None:
        if self._temporary is not None:
            self._temporary.cleanup()

    def keep(self, png: bytes) -> Shot:
        """Write a file of at most a few megabytes; CMD_RESULT_TOO_LARGE above 8 MiB."""
        if len(png) > SHOT_BYTES:
            sentence = f"The screenshot has more than {SHOT_BYTES} bytes; take one without full_page."
            raise CommandFailed(PipeCode.CMD_RESULT_TOO_LARGE, sentence)
        digest = hashlib.sha256(png).hexdigest()
        self._count += 1
        ref = f"shot-{self._count}-{digest[:16]}"
        self._write(self.path / ref, png)
        # The header of a PNG: 8 bytes signature, 8 of the first chunk's length and name, then the sizes.
        width, height = struct.unpack(">II", png[16:24])
        return Shot(ref=ref, width=width, height=height, bytes=len(png), sha256=digest)

    def _write(self, file: Path, png: bytes) -> None:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as opened:
            opened.write(png)
        self._kept.append(file)
        while len(self._kept) > SHOTS:
            self._kept.pop(0).unlink(missing_ok=True)
