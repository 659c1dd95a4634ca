"""Names that a wrong name may have meant. Plain functions of text, bounded in time."""

from collections.abc import Iterable
from difflib import get_close_matches
from heapq import nlargest
from itertools import islice

from cetp_spec.naming import MAX_LENGTH, SEPARATOR

MOST_LOOKED_AT = 256
"""Names that are compared: a millisecond's work."""
_TOLD = 3
_CLOSELY = 12
_ALIKE = 0.6
"""Of difflib's ratio."""


def nearest(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """Up to three of the first `MOST_LOOKED_AT` names: those that add a device or app to `name`, then similar ones."""
    looked_at = list(islice(names, MOST_LOOKED_AT))
    related = sorted(
        other for other in looked_at if other.startswith(name + SEPARATOR) or other.endswith(SEPARATOR + name)
    )
    return tuple(dict.fromkeys((*related, *_similar(name, looked_at))))[:_TOLD]


def _similar(name: str, names: list[str]) -> list[str]:
    wanted = name[:MAX_LENGTH].lower()
    pairs = _pairs(wanted)
    best = nlargest(_CLOSELY, names, key=lambda other: len(pairs & _pairs(other.lower())))
    lowered = {other.lower(): other for other in best}
    return [lowered[found] for found in get_close_matches(wanted, lowered, n=_TOLD, cutoff=_ALIKE)]


def _pairs(text: str) -> set[str]:
    return {text[place : place + 2] for place in range(len(text) - 1)}
