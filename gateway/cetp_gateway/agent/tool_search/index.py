"""Which tools have a text's words: BM25 over the weighed fields of each tool, with the meanings of words.

Above: `indexes`, `ranking`. Below: `document`, `words`. Plain values; made once for a list of tools.
"""

import math
from collections.abc import Iterable
from itertools import islice
from typing import Final

from cetp_gateway.agent.tool_search.document import ToolDocument
from cetp_gateway.agent.tool_search.words import MEANING_WEIGHT, Term, terms_of

SATURATION: Final = 2.0
"""BM25's k1: how soon further mentions of a word stop to count."""
LENGTH_SHARE: Final = 0.6
"""BM25's b: how much a long text's words lose."""

CONTENT_BONUS: Final = 0.2
"""What a tool that takes a text gains by each word that no tool has: it is probably a word of the user's data."""
CONTENT_WORDS: Final = 2

QUERY_CHARS: Final = 2000
QUERY_TERMS: Final = 96
"""Different terms of a text that count, so that a long one cannot hold up the event loop."""


class ToolIndex:
    """The words of some tools, each known by its place in the list. Filled with `add`, so that others may run in
    between; asked only after that.
    """

    def __init__(self) -> None:
        self.documents: list[ToolDocument] = []
        self.apps: list[str] = []
        self._counts: dict[str, list[tuple[int, float]]] = {}
        self._length = 0.0

    def add(self, document: ToolDocument, app: str) -> None:
        """The next tool, and whose it is."""
        place = len(self.documents)
        self.documents.append(document)
        self.apps.append(app)
        self._length += document.length
        for term, count in document.terms.items():
            self._counts.setdefault(term, []).append((place, count))

    def scores(self, text: str) -> dict[int, float]:
        """By place, for the tools that have at least one of the text's words or of their meanings."""
        found: dict[int, float] = {}
        unknown = 0
        for term in _query_terms(text):
            scores = self._scores_of(term)
            unknown += term.weight == 1.0 and not scores
            for place, score in scores.items():
                found[place] = found.get(place, 0.0) + score
        if unknown:
            gain = 1 + CONTENT_BONUS * min(unknown, CONTENT_WORDS)
            return {
                place: score * gain if self.documents[place].takes_text else score for place, score in found.items()
            }
        return found

    def _scores_of(self, term: Term) -> dict[int, float]:
        """The word itself or its best meaning: a tool that has both has it once."""
        best: dict[int, float] = {}
        documents, many = self.documents, len(self.documents)
        flat = SATURATION * (1 - LENGTH_SHARE)
        steep = SATURATION * LENGTH_SHARE * many / (self._length or 1.0)
        for known in (term.stem, *term.meanings):
            having = self._counts.get(known, ())
            rarity = math.log(1 + (many - len(having) + 0.5) / (len(having) + 0.5))
            share = rarity * term.weight * (SATURATION + 1) * (1.0 if known is term.stem else MEANING_WEIGHT)
            for place, count in having:
                score = share * count / (count + flat + steep * documents[place].length)
                if score > best.get(place, 0.0):
                    best[place] = score
        return best


def _query_terms(text: str) -> Iterable[Term]:
    """The different terms of a text, the first ones."""
    return islice(dict.fromkeys(terms_of(text[:QUERY_CHARS])), QUERY_TERMS)
