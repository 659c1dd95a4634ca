"""Reads files of a folder that lie beneath it for sure: no `..`, no links, judged while they are opened.

Below: the system's own openat.
"""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from cetp_gateway.errors import StorageError

_STEP: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
_DEPTH: Final = 8


def read_beneath(folder: Path, inner: str, limit: int) -> str | None:
    """The text of a regular file of at most `limit` bytes; None when there is none.

    Args:
        folder: trusted; may itself be reached by a link.
        inner: a path within it, hostile.
        limit: in bytes.

    Raises:
        StorageError: it is no path within the folder, or the file is too large or no UTF-8 text.
    """
    parts = PurePosixPath(inner).parts
    if not parts or len(parts) > _DEPTH or inner.startswith("/") or ".." in parts or "\0" in inner:
        raise StorageError(f"{inner!r} is no file within the folder.")
    try:
        content = _read(folder, parts, limit)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise StorageError(f"{inner} is a link, or lies behind one; links are not followed.") from None
        raise StorageError(f"{parts[-1]} cannot be read ({error.strerror}).") from error
    if content is None:
        return None
    if len(content) > limit:
        raise StorageError(f"{parts[-1]} has more than {limit} bytes; make it shorter.")
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise StorageError(f"{parts[-1]} is no UTF-8 text.") from None


def files_beneath(folder: Path, most: int) -> Iterator[str]:
    """Paths of regular files within, at most so many, without links and hidden ones; sorted within each folder."""
    left = most
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        depth = len(Path(where).relative_to(folder).parts)
        if depth + 1 >= _DEPTH:
            folders.clear()
        for name in sorted(files):
            path = Path(where, name)
            if name.startswith(".") or path.is_symlink():
                continue
            if not left:
                return
            left -= 1
            yield path.relative_to(folder).as_posix()


def _read(folder: Path, parts: tuple[str, ...], limit: int) -> bytes | None:
    at = os.open(folder, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
    try:
        for part in parts:
            inner = os.open(part, _STEP, dir_fd=at)
            os.close(at)
            at = inner
        if not stat.S_ISREG(os.fstat(at).st_mode):
            return None
        with os.fdopen(os.dup(at), "rb") as file:
            return file.read(limit + 1)
    finally:
        os.close(at)
