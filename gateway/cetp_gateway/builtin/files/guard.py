"""The path guard: what a path means, found step by step in folders that are held open.

Each folder is opened within the one before it and never through a link; links and `..` are resolved here, on the way,
and neither leads out of the allowed folders. What is opened is what was judged: nothing that changes meanwhile can put
another file in its place. Works on every POSIX system, unlike Linux' openat2. Above: `space`. Below: `place`, `roots`,
`sensitive`.
"""

import errno
import os
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from cetp_gateway.builtin.builtin_tool import NotPossible
from cetp_gateway.builtin.files.place import Place
from cetp_gateway.builtin.files.roots import Root, names_of, root_of
from cetp_gateway.builtin.files.sensitive import objection_to
from cetp_spec import ErrorCode

MAX_LINKS: Final = 16
MAX_DEPTH: Final = 64
MAX_NAME_BYTES: Final = 255
OPEN_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Guard:
    """Judges paths for one call.

    Args:
        roots: the workspace first; relative paths start there.
        private: true names of the gateway's own folder, closed but for the workspace in it.
    """

    def __init__(self, roots: Sequence[Root], private: tuple[str, ...]) -> None:
        self._roots = roots
        self._private = private

    def place(self, path: str, *, writing: bool = False) -> Place:
        """The place that a path names, to be closed by its taker; with `writing`, missing folders are made.

        Raises:
            NotPossible: it is outside the allowed folders, closed, no path at all, or goes through what is no folder.
        """
        _check_characters(path)
        walk = _Walk(self, path, writing=writing)
        try:
            walk.set_out(path)
            return walk.to_the_end()
        except BaseException:
            walk.close()
            raise

    def start(self, names: Sequence[str], shown: str) -> tuple[Root, tuple[str, ...]]:
        """The root that an absolute path goes through."""
        found = root_of(names, self._roots)
        if found is None:
            raise outside(shown)
        return found

    def covers(self, path: str) -> bool:
        """Whether a true, absolute path is one that tools may write to."""
        return root_of(names_of(path), self._roots) is not None

    @property
    def workspace(self) -> Root:
        return self._roots[0]

    def check(self, root: Root, names: Sequence[str], *, writing: bool) -> None:
        """Raise NotPossible when the place of these names beneath a root is closed."""
        true = (*root.true, *names)
        if objection := objection_to(true if root is not self.workspace else names, writing=writing):
            raise refused(f"{objection}.")
        within = true[: len(self._private)] == self._private
        if within and true[: len(self.workspace.true)] != self.workspace.true:
            raise refused("The gateway's own folder is closed to tools.")


class _Walk:
    """One path on its way: the folders that are open, and the names that are to come."""

    def __init__(self, guard: Guard, path: str, *, writing: bool) -> None:
        self._guard = guard
        self._shown = path
        self._writing = writing
        self._root = guard.workspace
        self._open: list[int] = []
        self._names: list[str] = []
        self._coming: deque[str] = deque()
        self._links = 0

    def to_the_end(self) -> Place:
        while self._coming:
            name = self._coming.popleft()
            if name == "..":
                self._back()
                continue
            if len(os.fsencode(name)) > MAX_NAME_BYTES or len(self._names) >= MAX_DEPTH:
                raise NotPossible(f"path: names have up to {MAX_NAME_BYTES} bytes, paths up to {MAX_DEPTH} names.")
            if (target := self._link(name)) is not None:
                self.set_out(target)
                continue
            self._check(name)
            if not self._coming:
                return self._arrived(name)
            self._enter(name)
        return self._arrived("")

    def close(self) -> None:
        while self._open:
            os.close(self._open.pop())

    def set_out(self, path: str) -> None:
        """Go on with a path: the asked one, or the target of a link."""
        names: tuple[str, ...] = names_of(path)
        if path.startswith("/"):
            self.close()
            self._names.clear()
            self._root, names = self._guard.start(names, self._shown)
        if not self._open:
            self._check()
            try:
                self._open.append(os.open(self._root.path, OPEN_FOLDER))
            except OSError as error:
                raise _no_folder(error, self._shown, self._root.path) from error
        self._coming.extendleft(reversed(names))

    def _back(self) -> None:
        if not self._names:
            raise outside(self._shown)
        self._names.pop()
        os.close(self._open.pop())

    def _link(self, name: str) -> str | None:
        try:
            target = os.readlink(name, dir_fd=self._open[-1])
        except OSError:
            return None
        self._links += 1
        if self._links > MAX_LINKS:
            raise refused(f"{self._shown} goes through more than {MAX_LINKS} links.")
        return target

    def _check(self, *further: str) -> None:
        self._guard.check(self._root, (*self._names, *further), writing=self._writing)

    def _enter(self, name: str) -> None:
        try:
            if self._writing:
                with suppress(FileExistsError):
                    os.mkdir(name, 0o700, dir_fd=self._open[-1])
            folder = os.open(name, OPEN_FOLDER, dir_fd=self._open[-1])
        except OSError as error:
            raise _no_folder(error, self._shown, "/".join((*self._names, name))) from error
        self._open.append(folder)
        self._names.append(name)

    def _arrived(self, name: str) -> Place:
        """The last folder passes to the place; those before it are closed."""
        folder = self._open.pop()
        self.close()
        names = (*self._names, name) if name else tuple(self._names)
        shown = "/".join(names) or "."
        return Place(folder, name, shown if self._root is self._guard.workspace else f"{self._root.path}/{shown}")


def _check_characters(path: str) -> None:
    try:
        encoded = os.fsencode(path)
    except UnicodeEncodeError:
        encoded = b"\0"
    if b"\0" in encoded:
        raise NotPossible("path: no file can have such a name.")


def refused(reason: str) -> NotPossible:
    """A refusal for the guard's own reasons."""
    return NotPossible(reason, code=ErrorCode.PERMISSION_DENIED)


def outside(path: str) -> NotPossible:
    """The refusal of a path that leads out."""
    return NotPossible(
        f"{path} is outside the workspace.",
        code=ErrorCode.PERMISSION_DENIED,
        hint="Use a path relative to the workspace; its owner can allow other folders (builtin.allowed_folders).",
    )


def _no_folder(error: OSError, path: str, so_far: str) -> NotPossible:
    if error.errno == errno.ENOENT:
        return NotPossible(f"There is no folder {so_far}.", hint="list_files shows what is there.")
    return refused(f"{path}: {so_far} is no folder that can be entered.")
