"""Small text files of the data folder: read with a bound, written whole or not at all, never through a link."""

import logging
import os
import secrets
from pathlib import Path

from cetp_gateway.errors import StorageError

OWNER_ONLY = 0o600
_FOLDER_MODE = 0o700

_log = logging.getLogger(__name__)


def read_text(path: Path, limit: int) -> str | None:
    """The text of a regular file of at most `limit` bytes; None when there is none.

    Raises:
        StorageError: it is too large, no UTF-8, or cannot be read.
    """
    try:
        if path.is_symlink() or not path.is_file():
            return None
        with path.open("rb") as file:
            content = file.read(limit + 1)
        if len(content) > limit:
            raise StorageError(f"{path.name} has more than {limit} bytes; make it shorter.")
        return content.decode()
    except UnicodeDecodeError:
        raise StorageError(f"{path.name} is no UTF-8 text; save it as UTF-8.") from None
    except OSError as error:
        raise _unusable(path, error) from error


def read_usable(path: Path, limit: int) -> str | None:
    """The same for lists: a file that cannot be used is named in the log and costs only itself."""
    try:
        return read_text(path, limit)
    except StorageError as error:
        _log.warning("%s/%s is left out: %s", path.parent.name, path.name, error)
        return None


def write_text(path: Path, text: str) -> None:
    """Replace the file in one step, readable by its owner alone; makes its folder when missing.

    Raises:
        StorageError: it cannot be written.
    """
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
        _write_new(fresh, text)
        fresh.replace(path)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise _unusable(path, error) from error


def remove(path: Path) -> None:
    """Remove the file when it is there; raises StorageError when it cannot be removed."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise _unusable(path, error) from error


def _write_new(path: Path, text: str) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "wb") as file:
        file.write(text.encode())
        file.flush()
        os.fsync(file.fileno())


def _unusable(path: Path, error: OSError) -> StorageError:
    return StorageError(f"{path.name} cannot be used: {error.strerror}. Check space and permissions of its folder.")
