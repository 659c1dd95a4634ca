"""Ids of calls as each vendor takes them. A conversation may have begun with another vendor.

The same id always becomes the same id, so a call and its result stay together without a table.
"""

import hashlib
import re
from collections.abc import Container
from typing import Final

import msgspec


class CallIdRule(msgspec.Struct, frozen=True):
    """What an id must match, and how long a made one is."""

    pattern: str
    length: int


ANY_40: Final = CallIdRule(r"[!-~]{1,40}", 24)
WORDS_64: Final = CallIdRule(r"[A-Za-z0-9_-]{1,64}", 24)
ALPHANUMERIC_9: Final = CallIdRule(r"[A-Za-z0-9]{9}", 9)


def fitting_id(call_id: str, rule: CallIdRule) -> str:
    """The id itself when the vendor takes it, else one made from it."""
    if re.fullmatch(rule.pattern, call_id):
        return call_id
    return hashlib.sha256(call_id.encode("utf-8", "replace")).hexdigest()[: rule.length]


def fresh_id(wanted: str, taken: Container[str], place: int) -> str:
    """An id that is unique in its conversation: some servers give none, or count from zero in each answer.

    Args:
        wanted: the server's id; may be empty.
        taken: ids that the conversation has already.
        place: number of the call within its message.
    """
    if wanted and wanted not in taken:
        return wanted
    number = 0
    while (made := f"call_{_digest(wanted, place, number)}") in taken:
        number += 1
    return made


def _digest(wanted: str, place: int, number: int) -> str:
    return hashlib.sha256(f"{wanted}/{place}/{number}".encode("utf-8", "replace")).hexdigest()[:16]


def fitting_name(name: str) -> str:
    """A tool's name for replaying history: a name that the model made up may be one that its vendor refuses."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:64] or "unnamed"
