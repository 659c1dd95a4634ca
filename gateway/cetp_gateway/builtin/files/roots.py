"""The folders that file tools may use: the workspace of a call, and those that the owner allows besides.

Above: `guard`, `space`. Below: nothing.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Root:
    """One such folder: as its owner spells it, and the same without links. Both count in absolute paths."""

    said: tuple[str, ...]
    true: tuple[str, ...]

    @classmethod
    def at(cls, folder: Path) -> "Root":
        return cls(names_of(str(folder)), names_of(os.path.realpath(folder)))

    @property
    def path(self) -> str:
        return "/" + "/".join(self.true)


def root_of(names: Sequence[str], roots: Sequence[Root]) -> tuple[Root, tuple[str, ...]] | None:
    """The root that an absolute path goes through, and the names beyond it; None when there is none. `..` among the
    names is not resolved here: behind a link it may mean another folder.
    """
    for root in roots:
        for spelling in (root.said, root.true):
            if tuple(names[: len(spelling)]) == spelling:
                return root, tuple(names[len(spelling) :])
    return None


def names_of(path: str) -> tuple[str, ...]:
    """The names of a path in their order, without those that mean nothing."""
    return tuple(name for name in path.split("/") if name not in ("", "."))
