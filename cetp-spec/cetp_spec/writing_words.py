"""Whether a tool's name says that it writes: CETP v1 tools only read (spec 7.4).

A guess by words, on purpose a cautious one. The gateway and the validator share it, so that an author is told
beforehand what a consumer will hold back.
"""

import re

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
MAX_CHARS = 200

_READING = """
browse check count describe download explain export fetch find get has is list load look lookup monitor peek
preview query read retrieve scan search show summarize summarise view watch what when where which who
"""
READING = frozenset(_READING.split())
"""As first word: reads, whatever follows."""
_WRITING = """
buy cancel create delete deposit drop edit erase insert modify overwrite pay purchase purge put remove rename
replace revoke send submit uninstall unsubscribe upload upsert wipe withdraw write
"""
WRITING = frozenset(_WRITING.split())
"""As first or last word: writes."""
_WRITING_FIRST = """
accept add append apply approve archive assign authorize block book change clear close complete confirm copy
disable dismiss enable execute forward install invite lock make mark move order place post publish reject reply
reset restore save schedule set share subscribe toggle transfer trigger turn unlock update
"""
WRITING_FIRST = frozenset(_WRITING_FIRST.split())
"""As first word only: elsewhere these are as often nouns (`latest_post`, `training_set`)."""
_NOUNS = """
address archive by count date details history id ids info list log logs name names number price report result
results schedule settings size stats status summary time times total totals type types
"""
NOUNS = frozenset(_NOUNS.split())
"""As last word: what comes before is part of a thing's name (`order_history`, `update_time`)."""


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
