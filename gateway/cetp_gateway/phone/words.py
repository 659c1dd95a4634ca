"""How well a text answers a search: the words they share."""

import re

_WORD = re.compile(r"\w+")
_PASSED_OVER = frozenset(
    _WORD.findall(
        "a an and any are at by can did do does for from had has have how i in is it me much many my of on or our "
        "please show tell that the their there these this to was we were what when where which who will with you your"
    )
)


def words_of(text: str) -> list[str]:
    """The words that matter in a question, lower case; all of them when none does."""
    every = [word.casefold() for word in _WORD.findall(text)]
    return [word for word in every if word not in _PASSED_OVER] or every


def shared_words(asked: list[str], text: str) -> int:
    """How many of the asked words begin a word of `text`; in scripts without blanks, occur in it."""
    folded = text.casefold()
    present = _WORD.findall(folded)
    return sum(1 for word in set(asked) if _holds(word, present, folded))


def _holds(word: str, present: list[str], folded: str) -> bool:
    if not word.isascii():
        return word in folded
    stem = word[:-1] if len(word) > 3 and word.endswith("s") else word
    return any(other.startswith(stem) for other in present)
