"""Whether a step must run again: a digest of everything it read, kept beside what it wrote."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

_LARGE = 4 << 20
"""Files of more bytes (frameworks, tools) never change under one name: their size stands for them."""


class Stamp:
    """The state of a step's inputs, against the state when it last succeeded."""

    def __init__(self, file: Path, inputs: Iterable[Path], *words: str) -> None:
        """Read all `inputs` (files, folders, or nothing there) now; `words` are inputs that are no files."""
        self._file = file
        self._digest = digest(inputs, *words)

    def is_current(self) -> bool:
        return self._file.is_file() and self._file.read_text(encoding="ascii") == self._digest

    def write(self) -> None:
        """To be called when the step has succeeded."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(self._digest, encoding="ascii")


def digest(inputs: Iterable[Path], *words: str) -> str:
    """The SHA-256 of the names and contents of all files in `inputs`, in hexadecimal."""
    sum_ = hashlib.sha256("\0".join(words).encode())
    for file in sorted({file for given in inputs for file in _files(given)}):
        content = file.read_bytes() if file.stat().st_size <= _LARGE else str(file.stat().st_size).encode()
        sum_.update(f"\0{file}\0{hashlib.sha256(content).hexdigest()}".encode())
    return sum_.hexdigest()


def _files(given: Path) -> Iterator[Path]:
    if given.is_dir():
        yield from (file for file in given.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    elif given.is_file():
        yield given
