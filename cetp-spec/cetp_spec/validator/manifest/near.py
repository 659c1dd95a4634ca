"""Tells a misspelt name of the protocol from another name altogether."""

from difflib import SequenceMatcher

MAX_CHARS = 200
LIKENESS = 0.84


def is_near(name: str, wanted: str) -> bool:
    """Whether `name` is not `wanted` but was most likely meant to be."""
    if name == wanted or not name or len(name) > MAX_CHARS:
        return False
    return SequenceMatcher(None, name.strip().lower(), wanted.lower(), autojunk=False).ratio() >= LIKENESS
