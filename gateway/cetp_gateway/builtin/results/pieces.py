"""Parts of a long text, by characters or by lines. Plain functions.

Above: `read_result`. Below: nothing.
"""

import msgspec


class Piece(msgspec.Struct, frozen=True):
    """Characters `start` to `end` (not included) of a text."""

    start: int
    end: int
    text: str


def of_characters(text: str, start: int, room: int) -> Piece:
    """As many characters as there is room for."""
    end = min(start + room, len(text))
    return Piece(start, end, text[start:end])


def of_lines(text: str, start: int, most: int, room: int) -> Piece:
    """Whole lines from the beginning of one, as many as there is room for; of a first one that is too long its
    beginning.
    """
    end = start
    for _ in range(most):
        after = _line_end(text, end)
        if after - start > room or after == end:
            break
        end = after
    return Piece(start, end, text[start:end]) if end > start else of_characters(text, start, room)


def line_start(text: str, number: int) -> int | None:
    """Where the line of this number begins, counted from 1; None when there are fewer."""
    start = 0
    for _ in range(number - 1):
        newline = text.find("\n", start)
        if newline < 0:
            return None
        start = newline + 1
    return start


def _line_end(text: str, start: int) -> int:
    """Behind the line's own end."""
    newline = text.find("\n", start)
    return len(text) if newline < 0 else newline + 1
