"""How alike two texts are: the same said twice, the opposite, or a person's own words. Plain functions."""

from collections.abc import Sequence, Set
from difflib import SequenceMatcher
from typing import Final

from cetp_gateway.memory.words import is_pair, words

DUPLICATE: Final = 0.85
"""Share of words, in their order, that near-duplicates have in common."""
CONTRADICTION: Final = 0.6
"""Jaccard similarity from which two core entries of one subject are about the same thing."""
CONTRADICTION_UNSPACED: Final = 0.4
"""The same for pairs of letters, of which one changed word changes two or three."""
OWN_WORDS: Final = 0.5
"""Share of an entry's words that a person must have said."""


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NEGATIONS: Final = _set(
    "not no never none without don doesn didn isn aren wasn won can cannot nicht kein keine nie ohne pas jamais sans "
    "nunca sin non mai 不是 不要 不在 不会 不能 不吃 不喝 不喜 没有 不 没"
)
_FILLERS: Final = _set(
    "the a an and or of to in on at for with by from is are was were be been am has have had do does did it its this "
    "that their his her he she they them user users person s m re ve ll d t i me my you your we our as so"
)
_ARTICLES: Final = frozenset({"the", "a", "an", "my", "his", "her", "their"})


Words = Sequence[str]
"""A text's words in their order (`words.ordered_words`)."""


def near_duplicates(one: Words, other: Words) -> bool:
    """The same but for case, punctuation or an addition. Another number, name or a negation is a difference."""
    if one == other:
        return True
    if _jaccard(set(one), set(other)) < DUPLICATE * DUPLICATE:
        return False
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    if matcher.ratio() < DUPLICATE:
        return False
    changes = ((one[a:b], other[c:d]) for kind, a, b, c, d in matcher.get_opcodes() if kind != "equal")
    return all(_harmless(gone, come) for gone, come in changes)


def contradict(one: Words, other: Words) -> bool:
    """Two texts of the same subject with much the same words that are no near-duplicates, so one has had its day."""
    left, right = ([word for word in text if word not in _ARTICLES] for text in (one, other))
    if not left or left[:1] != right[:1]:
        return False
    return _jaccard(set(left), set(right)) >= (CONTRADICTION_UNSPACED if is_pair(left[0]) else CONTRADICTION)


def rests_on(content: str, said: str) -> bool:
    """Are at least half of the content's telling words a person's own?"""
    telling = words(content) - _FILLERS
    return bool(telling) and len(telling & words(said)) >= OWN_WORDS * len(telling)


def _harmless(gone: Words, come: Words) -> bool:
    """An addition or omission of small words. A word in place of another may be another name, however alike."""
    return not (gone and come) and not any(_weighty(word) for word in (*gone, *come))


def _weighty(word: str) -> bool:
    return word in _NEGATIONS or any(character.isdigit() for character in word)


def _jaccard(one: Set[str], other: Set[str]) -> float:
    union = len(one | other)
    return len(one & other) / union if union else 1.0
