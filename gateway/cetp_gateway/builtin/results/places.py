"""Where words stand in a long text, each place with what is around it. Plain functions.

The text and the words are others', so the search is `str.find`, which is linear in both. Above: `read_result`. Below:
nothing.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from cetp_gateway.builtin.files.text import counted

SIDE_CHARS: Final = 300
"""Shown on each side of a place, for itself and for each line around it: what is one long line is shown in part."""
_HEAD_CHARS: Final = 50
"""For the line that says where a place is."""
_BLOCK: Final = 64 * 1024


class Places(msgspec.Struct, frozen=True):
    """What was found, ready to be shown."""

    head: str
    text: str


def places_of(text: str, words: str, *, start: int, around: int, room: int) -> Places:
    """Places from `start` on, as many as fit into so many characters and at least one. Those that stand close together
    are shown once.

    Args:
        text: what is searched.
        words: in any case; not empty.
        start: characters to leave out first.
        around: lines to show before and after each place.
        room: characters; more than the words and 50.
    """
    side = min(SIDE_CHARS * (around + 1), (room - _HEAD_CHARS - len(words)) // 2)
    folded, wanted = _folded(text), _folded(words)
    head = counted(folded.count(wanted, start), "place") + (f" from offset {start}" if start else "")
    shown: list[str] = []
    used, end, line, counted_to = 0, 0, 1, 0
    for place in _each(folded, wanted, start):
        if place < end:
            continue
        line, counted_to = line + text.count("\n", counted_to, place), place
        first, last = _window(text, place, place + len(words), around, side)
        passage = f"line {line}, offset {place}:\n{_clipped(text, max(first, end), last)}"
        used += len(passage) + 1
        if used > room and shown:
            return Places(f"{head}, {len(shown)} passages shown; go on with offset {place}", "\n".join(shown))
        shown.append(passage)
        end = last + (text[last : last + 1] == "\n")
    return Places(head, "\n".join(shown) or "The words do not stand there.")


def _each(text: str, words: str, start: int) -> Iterator[int]:
    place = text.find(words, start)
    while place >= 0:
        yield place
        place = text.find(words, place + len(words))


def _window(text: str, place: int, end: int, around: int, side: int) -> tuple[int, int]:
    """From the beginning of a line to the end of another, at most so many characters on each side."""
    lowest, highest = max(place - side, 0), min(end + side, len(text))
    first, last = place + 1, end - 1
    for _ in range(around + 1):
        first = text.rfind("\n", lowest, max(first - 1, lowest)) + 1 or lowest
        last = text.find("\n", min(last + 1, highest), highest)
        last = highest if last < 0 else last
    return first, last


def _clipped(text: str, first: int, last: int) -> str:
    before = "" if first == 0 or text[first - 1] == "\n" else "…"
    after = "" if last == len(text) or text[last] == "\n" else "…"
    return f"{before}{text[first:last]}{after}"


def _folded(text: str) -> str:
    """The text without case, each character in its place. In blocks, so that other threads may run between them."""
    return "".join(_folded_block(text[start : start + _BLOCK]) for start in range(0, len(text), _BLOCK))


def _folded_block(block: str) -> str:
    folded = block.casefold()
    if len(folded) == len(block):
        return folded
    # Some letters are two without case, as ß is ss; they stay as they are.
    return "".join(letter if len(other := letter.casefold()) != 1 else other for letter in block)
