"""Which tools are offered when there are more than a request may carry. Plain functions, the same choice always.

Vendors refuse requests with too many tools, although each app alone is fine. So those are chosen whose names and
descriptions have the most telling words in common with what the user wrote.
"""

import re
from collections.abc import Collection, Sequence
from typing import Final

from cetp_gateway.api import ToolSpec

MAX_TERMS: Final = 32
"""Terms of a message that are looked at, so that a long one cannot hold up the event loop."""

DESCRIPTION_CHARS: Final = 300
"""The part of a description that is searched."""

_NAME_WEIGHT: Final = 3
_LATIN: Final = re.compile(r"[^\W_]+")
_NO_BLANKS: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
"""Chinese, Japanese and Korean, written without blanks between words (or with endings on them)."""


def select_tools(specs: Sequence[ToolSpec], *, max_tools: int, text: str, keep: Collection[str] = ()) -> list[ToolSpec]:
    """At most `max_tools` of the tools, in the order of `specs`.

    Args:
        specs: all usable tools.
        max_tools: how many a request may carry.
        text: what the user wrote last.
        keep: names that come first, such as tools that this turn has used.
    """
    if len(specs) <= max_tools:
        return list(specs)
    scores = _scores(specs, terms(text))
    best = sorted(range(len(specs)), key=lambda index: (specs[index].name not in keep, -scores[index], index))
    return [specs[index] for index in sorted(best[:max_tools])]


def terms(text: str) -> list[str]:
    """Words of three letters and more without a plural's `s`, and pairs of neighbouring East Asian characters."""
    text = text.lower()
    pairs = (run[at : at + 2] for run in _NO_BLANKS.findall(text) for at in range(max(len(run) - 1, 1)))
    words = (word for word in _LATIN.findall(_NO_BLANKS.sub(" ", text)) if len(word) > 2)
    found = [word.removesuffix("s") if len(word) > 3 else word for word in words] + list(pairs)
    return list(dict.fromkeys(found))[:MAX_TERMS]


def _scores(specs: Sequence[ToolSpec], wanted: Sequence[str]) -> list[float]:
    """A term counts the more, the fewer tools have it: words that all have tell nothing."""
    names = [spec.name.lower() for spec in specs]
    texts = [spec.description[:DESCRIPTION_CHARS].lower() for spec in specs]
    scores = [0.0] * len(specs)
    for term in wanted:
        hits = [_NAME_WEIGHT * (term in name) + (term in text) for name, text in zip(names, texts, strict=True)]
        having = sum(map(bool, hits))
        for index, hit in enumerate(hits):
            if hit:
                scores[index] += hit / having
    return scores
