"""A file or folder in a folder that is held open: what is done to it, is done to that one.

Opened are plain files with one name only: no links, devices, pipes or sockets, and no second name of a file that lies
elsewhere. A written file is there as a whole or not at all. Above: `guard`, the tools. Below: nothing.
"""

import errno
import os
import secrets
import stat
from contextlib import suppress
from typing import Final

from cetp_gateway.builtin.builtin_tool import NotPossible
from cetp_spec import ErrorCode

READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
WRITE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_TEMPORARY: Final = ".cetp-"


class Place:
    """Use as a context manager; it closes the folder.

    Args:
        folder: open file descriptor of the folder, now this object's own.
        name: in that folder; empty for the folder itself.
        shown: the path for people and models.
    """

    def __init__(self, folder: int, name: str, shown: str) -> None:
        self._folder = folder
        self.name = name
        self.shown = shown

    def __enter__(self) -> "Place":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._folder)

    def open_folder(self) -> int:
        """The folder of this place, open; its taker closes it. Raises NotPossible."""
        if not self.name:
            return os.dup(self._folder)
        try:
            return os.open(self.name, READ | os.O_DIRECTORY, dir_fd=self._folder)
        except OSError as error:
            raise self._missing(error, "folder") from error

    def read(self, most: int) -> bytes:
        """The whole file. Raises NotPossible when it is larger than `most` bytes, or no plain file."""
        with os.fdopen(self._open_file(), "rb") as file:
            content = file.read(most + 1)
        if len(content) > most:
            raise NotPossible(f"{self.shown} has more than {most} bytes (builtin.file_bytes).")
        return content

    def exists(self) -> bool:
        """Whether anything is there, of whatever kind."""
        return not self.name or self._status() is not None

    def create(self, content: bytes) -> None:
        """Make a file that was not there. Raises NotPossible when it is."""
        temporary = self._write_beside(content, 0o600)
        try:
            os.link(temporary, self.name, src_dir_fd=self._folder, dst_dir_fd=self._folder, follow_symlinks=False)
        except FileExistsError:
            raise NotPossible(
                f"{self.shown} exists already.", hint="Use edit_file, or write_file with mode overwrite or append."
            ) from None
        except OSError as error:
            raise self._missing(error, "file") from error
        finally:
            os.unlink(temporary, dir_fd=self._folder)

    def replace(self, content: bytes) -> None:
        """Put a file in place of the one that may be there, whose permissions it keeps."""
        before = self._status()
        if before is not None:
            self._check_plain(before)
        temporary = self._write_beside(content, stat.S_IMODE(before.st_mode) & 0o777 if before else 0o600)
        try:
            os.rename(temporary, self.name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
        except OSError as error:
            with suppress(OSError):
                os.unlink(temporary, dir_fd=self._folder)
            raise self._missing(error, "file") from error

    def _write_beside(self, content: bytes, mode: int) -> str:
        if not self.name:
            raise NotPossible(f"{self.shown} is a folder.")
        name = f"{_TEMPORARY}{secrets.token_hex(8)}"
        try:
            with os.fdopen(os.open(name, WRITE, mode, dir_fd=self._folder), "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            with suppress(OSError):
                os.unlink(name, dir_fd=self._folder)
            raise NotPossible(
                f"{self.shown} cannot be written: {os.strerror(error.errno or 0)}.", code=ErrorCode.INTERNAL_ERROR
            ) from error
        return name

    def _open_file(self) -> int:
        # Looked at first: to open a device may already do something.
        status = self._status()
        if status is None:
            raise self._missing(FileNotFoundError(errno.ENOENT, ""), "file")
        self._check_plain(status)
        try:
            file = os.open(self.name, READ, dir_fd=self._folder)
        except OSError as error:
            raise self._missing(error, "file") from error
        try:
            self._check_plain(os.fstat(file))
        except BaseException:
            os.close(file)
            raise
        return file

    def _status(self) -> os.stat_result | None:
        try:
            return os.stat(self.name or ".", dir_fd=self._folder, follow_symlinks=False)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._missing(error, "file") from error

    def _check_plain(self, status: os.stat_result) -> None:
        if stat.S_ISDIR(status.st_mode):
            raise NotPossible(f"{self.shown} is a folder.", hint="list_files shows what is in it.")
        if not stat.S_ISREG(status.st_mode):
            raise NotPossible(f"{self.shown} is no plain file.", code=ErrorCode.PERMISSION_DENIED)
        if status.st_nlink > 1:
            raise NotPossible(
                f"{self.shown} is a hard link: the same file may lie outside the workspace.",
                code=ErrorCode.PERMISSION_DENIED,
            )

    def _missing(self, error: OSError, kind: str) -> NotPossible:
        if error.errno == errno.ENOENT:
            return NotPossible(f"There is no {kind} {self.shown}.", hint="list_files shows what is there.")
        return NotPossible(
            f"{self.shown} cannot be used as a {kind}: {os.strerror(error.errno or 0)}.",
            code=ErrorCode.PERMISSION_DENIED,
        )
