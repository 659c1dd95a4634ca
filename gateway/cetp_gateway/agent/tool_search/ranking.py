"""From scores to an order in which no app crowds out the others. Plain functions of values."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

APP_SHARE: Final = 0.6
"""Of the first n tools, so many may be one app's (3 of 5, 6 of 10) as long as others fit as well: an app whose
descriptions are stuffed with words gets no further."""

WORDS_SHARE: Final = 0.65
"""Of the score where there are embeddings too."""


def ranked(scores: Mapping[int, float], apps: Sequence[str], limit: int) -> list[int]:
    """The places of the best tools, best first; equals in the order of their places."""
    seen: Counter[str] = Counter()
    waiting = []
    for place in sorted(scores, key=lambda place: (-scores[place], place)):
        seen[apps[place]] += 1
        if seen[apps[place]] <= limit:
            waiting.append(place)
    chosen: list[int] = []
    taken: Counter[str] = Counter()
    while waiting and len(chosen) < limit:
        most = math.ceil(APP_SHARE * (len(chosen) + 1))
        at = next((at for at, place in enumerate(waiting) if taken[apps[place]] < most), 0)
        place = waiting.pop(at)
        taken[apps[place]] += 1
        chosen.append(place)
    return chosen


def fused(by_words: Mapping[int, float], by_meaning: Mapping[int, float]) -> dict[int, float]:
    """One score from both. Words have no scale of their own, so the best one counts as 1; cosines count as they are."""
    best = max(by_words.values(), default=0.0) or 1.0
    return {
        place: WORDS_SHARE * by_words.get(place, 0.0) / best + (1 - WORDS_SHARE) * by_meaning.get(place, 0.0)
        for place in by_words.keys() | by_meaning.keys()
    }
