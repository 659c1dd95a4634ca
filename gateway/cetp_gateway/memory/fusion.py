"""One order of hits from two: weighted fusion of word and vector scores. Plain functions."""

from collections.abc import Mapping
from typing import Final

import msgspec

from cetp_gateway.api import MemoryEntry
from cetp_gateway.memory.rows import Kept

_SUPERSEDED_SHARE: Final = 0.5
"""So much of its score is left to an entry that a newer one contradicts."""


def fused(
    by_words: Mapping[int, float], by_meaning: Mapping[int, float], *, word_weight: float, meaning_weight: float
) -> dict[int, float]:
    """Scores between 0 and 1 by number, from both searches.

    Word scores have no scale of their own, so the best one counts as 1; similarities count as they are.
    """
    best_by_words = max(by_words.values(), default=0.0) or 1.0
    whole = word_weight + meaning_weight
    return {
        number: (word_weight * by_words.get(number, 0.0) / best_by_words + meaning_weight * by_meaning.get(number, 0.0))
        / whole
        for number in by_words.keys() | by_meaning.keys()
    }


def best(found: Mapping[int, Kept], scores: Mapping[int, float], limit: int) -> list[MemoryEntry]:
    """The entries that are there, best first, the newer one first among equals."""
    weighed = [
        (scores[number] * (_SUPERSEDED_SHARE if each.entry.superseded_by else 1), number)
        for number, each in found.items()
    ]
    weighed.sort(reverse=True)
    return [msgspec.structs.replace(found[number].shown, score=score) for score, number in weighed[:limit]]
