"""Bytes become lines (pipe 3): any chunks in, whole lines out, one mark for each line that is too large.

Knows nothing of JSON and does no I/O. Above: the links of both sides.
"""

from typing import Final

MAX_LINE_BYTES: Final = 1_048_576
"""Of a message, without its line feed (pipe 3.2)."""


class TooLarge:
    """Stands in place of a line above the limit; there is one of it, TOO_LARGE."""

    def __repr__(self) -> str:
        return "TOO_LARGE"


TOO_LARGE: Final = TooLarge()
Line = bytes | TooLarge


class LineFramer:
    """Puts lines together. Keeps at most `limit` bytes of an unfinished line, and nothing of one that is too large."""

    __slots__ = ("_kept", "_limit", "_skipping")

    def __init__(self, limit: int = MAX_LINE_BYTES) -> None:
        self._limit = limit
        self._kept = bytearray()
        self._skipping = False

    @property
    def pending(self) -> int:
        """Bytes of an unfinished line that are kept."""
        return len(self._kept)

    def feed(self, chunk: bytes) -> list[Line]:
        """The lines that end in this chunk, without their line feeds, and TOO_LARGE once for each line that passes
        the limit in it.
        """
        *ends, rest = chunk.split(b"\n")
        lines: list[Line] = []
        for end in ends:
            self._take(end, lines)
            self._end_line(lines)
        self._take(rest, lines)
        return lines

    def finish(self) -> int:
        """The input has ended: how many bytes of half a line were dropped (pipe 3.4)."""
        dropped = len(self._kept)
        self._kept.clear()
        return dropped

    def _take(self, piece: bytes, lines: list[Line]) -> None:
        if self._skipping:
            return
        if len(self._kept) + len(piece) > self._limit:
            lines.append(TOO_LARGE)
            self._kept.clear()
            self._skipping = True
        else:
            self._kept += piece

    def _end_line(self, lines: list[Line]) -> None:
        if not self._skipping:
            lines.append(bytes(self._kept))
            self._kept.clear()
        self._skipping = False
