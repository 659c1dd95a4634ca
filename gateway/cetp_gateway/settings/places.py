"""Finds the line of a setting in the text of a settings file, for people who have to mend it.

The text is not searched by its looks alone: a line counts when TOML read up to it does not have the key and read past
it does, so sections, dotted keys, inline tables and strings over several lines are all told apart. Below: nothing.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

_CANDIDATES: Final = 64
"""Lines with the word that are looked at."""
_VALUE_LINES: Final = 200
"""A value over more lines than this is not followed to its end."""


def line_of(text: str, key: str) -> int | None:
    """The line of `section.key`, or of a section, counted from 1; None when it cannot be found."""
    path = key.split(".")
    lines = text.splitlines()
    word = re.compile(rf"(?<![A-Za-z0-9_-]){re.escape(path[-1])}(?![A-Za-z0-9_-])")
    candidates = [number for number, line in enumerate(lines) if word.search(line)]
    for number in candidates[:_CANDIDATES]:
        before = _parsed(lines[:number])
        if before is not None and not _has(before, path) and _appears(lines, number, path):
            return number + 1
    return None


def _appears(lines: Sequence[str], number: int, path: Sequence[str]) -> bool:
    for end in range(number + 1, min(len(lines), number + _VALUE_LINES) + 1):
        parsed = _parsed(lines[:end])
        if parsed is not None:
            return _has(parsed, path)
    return False


def _parsed(lines: Iterable[str]) -> Mapping[str, Any] | None:
    try:
        return tomllib.loads("\n".join(lines))
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _has(values: Mapping[str, Any], path: Sequence[str]) -> bool:
    found: Any = values
    for part in path:
        if not isinstance(found, Mapping) or part not in found:
            return False
        found = found[part]
    return True
