"""Globs of whole paths: `*` stays within a name, `**` is any number of folders. Plain functions.

Above: `find_files`, `search_files`. Below: nothing.
"""

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from functools import cache
from typing import Final

MAX_CHARS: Final = 256


def path_glob(glob: str) -> Callable[[str], bool]:
    """Whether a path fits; a glob without `/` is one of names in any folder."""
    parts = tuple(part for part in glob.split("/") if part)
    if len(parts) == 1 and "/" not in glob:
        parts = ("**", *parts)
    return lambda path: _fits(parts, path.split("/"))


def _fits(parts: Sequence[str], names: Sequence[str]) -> bool:
    @cache
    def fits(part: int, name: int) -> bool:
        if part == len(parts):
            return name == len(names)
        if parts[part] == "**":
            return fits(part + 1, name) or (name < len(names) and fits(part, name + 1))
        return name < len(names) and fnmatchcase(names[name], parts[part]) and fits(part + 1, name + 1)

    return fits(0, 0)
