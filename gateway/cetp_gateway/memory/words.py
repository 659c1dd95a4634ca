"""Text as words: one spelling for store and query, and pieces that SQLite's word index can find. Plain functions.

Scripts without blanks between words (Chinese, Japanese, Korean, Thai, …) become pairs of neighbouring letters:
a whole run would be one word for the index, and most Chinese words have two letters.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Final

INDEX_VERSION: Final = 1
"""Raised with every change of `indexed`: a store that was made with another one makes its index anew."""

_UNSPACED: Final = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff"
    r"\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_FIRST_UNSPACED: Final = "\u0e00"
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_APART: Final = re.compile(r"[\s(),;/|\[\]{}<>\"!?]+")
"""Between two words of a query; other signs hold a word together, as in wifi-6 and don't."""
_PHRASE_LETTERS: Final = 4
"""A longer run in a query is a sentence rather than a word: any of its pairs may fit."""
_QUERY_PHRASES: Final = 64
"""Of a longer query the first ones count."""


@cache
def _run() -> re.Pattern[str]:
    """A run of a script without blanks. Compiled when first needed: it takes longer than the rest of the room."""
    return re.compile(f"[{_UNSPACED}]+")


@cache
def _word() -> re.Pattern[str]:
    return re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+")


def normalised(text: str) -> str:
    """The text in the one spelling that is compared: width, ligatures and case are levelled."""
    return unicodedata.normalize("NFKC", _CONTROL.sub(" ", text)).casefold()


def indexed(text: str) -> str:
    """What the word index is given for a text. Equal texts give equal words, which removal depends on."""
    return _run().sub(lambda run: f" {' '.join(_pairs(run[0], last=True))} ", normalised(text))


def phrases(query: str) -> list[str]:
    """The parts of a user's text as FTS5 phrases, each quoted, none twice; empty when nothing can be looked for.

    Whatever the text holds is a word or nothing: no operator, column or wildcard of FTS5 comes through.
    """
    found = dict.fromkeys(phrase for piece in _APART.split(normalised(query)) for phrase in _phrases_of(piece))
    return list(found)[:_QUERY_PHRASES]


def words(text: str) -> frozenset[str]:
    """The set of words, pairs of letters for scripts without blanks; for comparing texts."""
    return frozenset(ordered_words(text))


def ordered_words(text: str) -> list[str]:
    """The same in their order."""
    found: list[str] = []
    for word in _word().findall(normalised(text)):
        if word[0] >= _FIRST_UNSPACED and _run().match(word):
            found.extend(_pairs(word, last=False))
        else:
            found.append(word)
    return found


def is_pair(word: str) -> bool:
    """Is this a piece of a text without blanks, rather than a word?"""
    return _run().match(word) is not None


def _phrases_of(piece: str) -> Iterator[str]:
    """A piece between blanks: its runs without blanks each for themselves, the rest as one phrase."""
    for run in _run().findall(piece):
        pairs = _pairs(run, last=False)
        if len(run) == 1:
            yield f'"{run}" *'
        elif len(run) <= _PHRASE_LETTERS:
            yield _quoted(" ".join(pairs))
        else:
            yield from map(_quoted, pairs)
    for rest in _run().sub(" ", piece).split():
        if any(character.isalnum() for character in rest):
            yield _quoted(rest)


def _pairs(run: str, *, last: bool) -> list[str]:
    """Neighbouring letters. With `last` also the last letter alone, so that each letter begins a word."""
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    return [*pairs, run[-1]] if last or not pairs else pairs


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
