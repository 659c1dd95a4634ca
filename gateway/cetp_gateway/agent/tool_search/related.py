"""Words that people and apps use for the same thing, as numbered meanings. Read when the first tools are indexed.

A line of `related_words.txt` is one meaning; a word may stand in several. Above: `words`.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

_FILE: Final = "related_words.txt"


def meanings_of(term: str) -> tuple[str, ...]:
    """Names of the meanings that a stem or a pair of letters has; names cannot be mistaken for words."""
    return _meanings().get(term, ())


@cache
def _meanings() -> Mapping[str, tuple[str, ...]]:
    from cetp_gateway.agent.tool_search.words import stem_of  # noqa: PLC0415  (the stems of which this is a list)

    found: dict[str, tuple[str, ...]] = {}
    text = files(__package__).joinpath(_FILE).read_text("utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    for number, line in enumerate(lines):
        for stem in {stem_of(word) for word in line.split()}:
            found[stem] = (*found.get(stem, ()), f"={number}")
    return found
