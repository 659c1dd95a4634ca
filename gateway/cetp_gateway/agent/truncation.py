"""Cutting over-long results: 2/3 head, 1/3 tail, and what is missing said between them. Plain functions."""

import unicodedata
from typing import Final

_JOINERS: Final = "\u200c\u200d\ufe0e\ufe0f"
"""Zero-width (non-)joiners and variation selectors belong to the character before them, the joiner to both sides."""

_LONGEST_CLUSTER: Final = 16
"""Code points that a cut moves at most; stacks of marks that are longer are no writing."""


def truncate_result(text: str, max_chars: int, reach: str = "") -> str:
    """At most `max_chars` of the text's own characters (Unicode code points), and the marker when some are missing.

    No cut falls between a letter and the marks on it, so a few characters more than needed may go. `reach` is what the
    marker says of how to get at them.
    """
    if len(text) <= max_chars:
        return text
    head_end = _cut_before(text, max_chars * 2 // 3)
    tail_start = _cut_after(text, len(text) - (max_chars - max_chars * 2 // 3))
    missing = tail_start - head_end
    return f"{text[:head_end]}\n[... {missing} characters truncated{reach} ...]\n{text[tail_start:]}"


def _cut_before(text: str, position: int) -> int:
    """The last place at or before `position` where the text may be cut."""
    for candidate in range(position, max(position - _LONGEST_CLUSTER, 0), -1):
        if not _joins(text, candidate):
            return candidate
    return max(position - _LONGEST_CLUSTER, 0)


def _cut_after(text: str, position: int) -> int:
    """The first place at or after `position` where the text may be cut."""
    last = min(position + _LONGEST_CLUSTER, len(text))
    for candidate in range(position, last):
        if not _joins(text, candidate):
            return candidate
    return last


def _joins(text: str, position: int) -> bool:
    """True when what stands behind `position` belongs to what stands before it."""
    behind, before = text[position : position + 1], text[position - 1 : position]
    if not behind or not before:
        return False
    return (
        behind in _JOINERS
        or before == "\u200d"
        or unicodedata.category(behind).startswith("M")
        or "\U0001f3fb" <= behind <= "\U0001f3ff"  # skin tones
        or (before == "\r" and behind == "\n")
    )
