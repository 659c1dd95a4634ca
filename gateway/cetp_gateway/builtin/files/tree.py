"""What is in a folder and the folders in it, found without ever following a link.

Folders are entered by the descriptors of those above them, closed places are left out, and the walk has an end. Above:
`list_files`, `find_files`, `search_files`. Below: `place`, `sensitive`.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cetp_gateway.builtin.files.place import READ, Place
from cetp_gateway.builtin.files.sensitive import objection_to

MAX_ENTRIES: Final = 50_000
"""Files and folders looked at in one call."""
MAX_DEPTH: Final = 32


@dataclass(frozen=True)
class Found:
    """One file or folder."""

    folder: int
    """Open descriptor of where it lies, until the next one is taken."""
    name: str
    path: str
    """From the folder where the walk began."""
    status: os.stat_result

    @property
    def kind(self) -> str:
        mode = self.status.st_mode
        if stat.S_ISDIR(mode):
            return "folder"
        if stat.S_ISREG(mode):
            return "file"
        return "link" if stat.S_ISLNK(mode) else "other"

    def place(self, shown: str) -> Place:
        """To read it."""
        return Place(os.dup(self.folder), self.name, shown)


class Tree:
    """The walk from one folder; `cut` tells afterwards whether it ended early."""

    def __init__(self) -> None:
        self.cut = False
        self._seen = 0

    def entries(self, folder: int, *, deep: bool, above: str = "") -> Iterator[Found]:
        """Everything in an open folder, by name; with `deep`, each folder's content behind it."""
        for name in self._names(folder):
            if objection_to([name], writing=False):
                continue
            try:
                status = os.stat(name, dir_fd=folder, follow_symlinks=False)
            except OSError:
                continue
            found = Found(folder, name, f"{above}{name}", status)
            yield found
            if deep and found.kind == "folder":
                yield from self._within(found)

    def _within(self, found: Found) -> Iterator[Found]:
        if found.path.count("/") >= MAX_DEPTH - 1:
            self.cut = True
            return
        try:
            folder = os.open(found.name, READ | os.O_DIRECTORY, dir_fd=found.folder)
        except OSError:
            return
        try:
            yield from self.entries(folder, deep=True, above=f"{found.path}/")
        finally:
            os.close(folder)

    def _names(self, folder: int) -> list[str]:
        names: list[str] = []
        with os.scandir(folder) as entries:
            for entry in entries:
                if self._seen >= MAX_ENTRIES:
                    self.cut = True
                    break
                self._seen += 1
                names.append(entry.name)
        return sorted(names)
