"""Globs of public names in rules that hold something back: `*` goes across all parts of a name, `?` is one character.

Below: nothing. The rules that let something through are `tools.policy`'s.
"""

import re
from collections.abc import Callable, Iterable

_PIECES = re.compile(r"\*+|\?|[^*?]+")


def any_of(globs: Iterable[str]) -> Callable[[str], bool]:
    """Whether a name fits one of them; letter case counts."""
    expression = "|".join(f"(?:{''.join(map(_translate, _PIECES.findall(glob)))})" for glob in globs if glob)
    fits = re.compile(expression or r"(?!)").fullmatch
    return lambda name: fits(name) is not None


def _translate(piece: str) -> str:
    if piece[0] == "*":
        return ".*"
    return "." if piece == "?" else re.escape(piece)
