"""What an entry must be to be kept: bounded, printable, with a time zone. Plain functions."""

import math
import re
from datetime import UTC, datetime
from typing import Final

import msgspec

from cetp_gateway.api import MemoryEntry
from cetp_gateway.errors import MemoryRefused

KEY_CHARS: Final = 200
NAME_CHARS: Final = 64
"""Of categories and namespaces."""
NOTE_CHARS: Final = 500
"""Of a session's id, tools and a person."""

_MARK: Final = re.compile(r"\[SUPERSEDED by '[^'\n]*'\] ")
_UNPRINTABLE: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_NAME: Final = re.compile(r"[^\W_](?:[\w.:@-]*[^\W_])?")


def checked(entry: MemoryEntry, *, content_chars: int) -> MemoryEntry:
    """The entry as it can be kept; raises MemoryRefused that names the field."""
    _check_key(entry.key)
    for field, name in (("category", entry.category), ("namespace", entry.namespace)):
        if len(name) > NAME_CHARS or not _NAME.fullmatch(name):
            raise MemoryRefused(f"{field}: take 1 to {NAME_CHARS} letters, digits and _.:@- between them.")
    if not (math.isfinite(entry.importance) and 0 <= entry.importance <= 1):
        raise MemoryRefused("importance: it must lie between 0 and 1.")
    for field, note in (
        ("session_id", entry.session_id),
        ("tool", entry.source.tool),
        ("person", entry.source.person),
        ("superseded_by", entry.superseded_by),
    ):
        if len(note) > NOTE_CHARS or not _clean(note) == note:
            raise MemoryRefused(f"{field}: {NOTE_CHARS} printable characters at most.")
    return msgspec.structs.replace(
        entry,
        content=_content(entry.content, content_chars),
        created_at=in_utc(entry.created_at),
        updated_at=in_utc(entry.updated_at) if entry.updated_at else None,
        score=None,
    )


def marked(content: str, superseded_by: str) -> str:
    """The content as readers see it."""
    return f"[SUPERSEDED by '{superseded_by}'] {content}" if superseded_by else content


def in_utc(time: datetime) -> datetime:
    """A time without a zone is taken for UTC."""
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


def _check_key(key: str) -> None:
    if not key.strip() or len(key) > KEY_CHARS or "/" in key or "\n" in key or _clean(key) != key:
        raise MemoryRefused(f"key: take 1 to {KEY_CHARS} printable characters without /.")
    if key in {".", ".."}:
        raise MemoryRefused("key: . and .. are no names.")


def _content(content: str, limit: int) -> str:
    """Without unprintable letters, and without the mark that reading adds."""
    text = _MARK.sub("", _clean(content).replace("\r\n", "\n"), count=1) if content.startswith("[") else _clean(content)
    if not text.strip():
        raise MemoryRefused("content: there is nothing to remember.")
    if len(text) > limit:
        raise MemoryRefused(f"content: {len(text)} characters are more than the {limit} of memory.content_chars.")
    return text


def _clean(text: str) -> str:
    return _UNPRINTABLE.sub("", text.encode("utf-8", "replace").decode())
