"""Whether a tool's name says that it writes: CETP v1 tools only read (spec 7.4).

A guess by words, on purpose a cautious one. The gateway, the validator and the bridge share it and its words
(`writing_words` in `contract.json`), so that an author is told beforehand what a consumer will hold back.
`vectors/writing_words.json` holds cases for other languages.
"""

import re

from cetp_spec.data import contract

_WORDS = contract()["writing_words"]
MAX_CHARS: int = _WORDS["max_chars"]
"""Characters of a name that are looked at."""

READING = frozenset(_WORDS["reading"])
"""As first word: reads, whatever follows."""
WRITING = frozenset(_WORDS["writing"])
"""As first or last word: writes."""
WRITING_FIRST = frozenset(_WORDS["writing_first"])
"""As first word only: elsewhere these are as often nouns (`latest_post`, `training_set`)."""
NOUNS = frozenset(_WORDS["nouns"])
"""As last word: what comes before is part of a thing's name (`order_history`, `update_time`)."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def writing_word(name: str) -> str | None:
    """The word by which the name says that the tool writes, or None when it does not say so."""
    words = _words(name)
    if not words or words[0] in READING:
        return None
    if words[0] in WRITING:
        return words[0]
    if words[-1] in NOUNS:
        return None
    if words[0] in WRITING_FIRST:
        return words[0]
    return words[-1] if words[-1] in WRITING else None


def reads(name: str) -> bool:
    """Whether the name says that the tool reads."""
    words = _words(name)
    return bool(words) and words[0] in READING


def _words(name: str) -> list[str]:
    return [match.group().lower() for match in _WORD.finditer(name[:MAX_CHARS])]
