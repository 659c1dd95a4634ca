"""Entries that wait for the disk, as the lines they will be.

An entry becomes text at once: a line keeps nothing else alive, and the memory of the call that it tells of is used
again by the next one while it is still in the processor's cache. Entries with a long result wait as they are, for
hashing that would take too long on the event loop. Above: `audit_log`, `audit_store`. Below: `audit_entry`.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from cetp_gateway.policy.audit_entry import AuditEntry, EndedCall, entry_of

LONG_CHARS: Final = 32 * 1024
"""Results from here on are hashed by the thread that writes them: 0.1 ms on the event loop is enough."""

Noted = EndedCall | AuditEntry

_encoder = msgspec.json.Encoder()


class Lines(msgspec.Struct, gc=False):
    """Entries as JSON lines, each with its newline."""

    text: bytearray
    count: int = 0

    def add(self, entry: Noted, *, content: bool) -> None:
        """Append one. Raises what msgspec raises for an entry that cannot be JSON; nothing has been added then."""
        line = entry if isinstance(entry, AuditEntry) else entry_of(entry, content=content)
        end = len(self.text)
        try:
            _encoder.encode_into(line, self.text, end)
        except BaseException:
            del self.text[end:]
            raise
        self.text += b"\n"
        self.count += 1


class Waiting:
    """What waits, in order; counted by entries and by the characters of long results."""

    def __init__(self, *, content: bool) -> None:
        self._content = content
        self._parts: list[Lines | EndedCall] = []
        self.entries = 0
        self.chars = 0

    def add(self, entry: Noted) -> None:
        """Append one entry. Raises like `Lines.add`."""
        chars = entry.chars if isinstance(entry, EndedCall) else 0
        if chars >= LONG_CHARS and isinstance(entry, EndedCall):
            self._parts.append(entry)
            self.chars += chars
        else:
            last = self._parts[-1] if self._parts else None
            if not isinstance(last, Lines):
                last = Lines(bytearray())
                self._parts.append(last)
            last.add(entry, content=self._content)
        self.entries += 1

    def take(self) -> "Batch":
        """All of it; nothing waits afterwards."""
        batch = Batch(self._parts, self.entries, self.chars, content=self._content)
        self._parts, self.entries, self.chars = [], 0, 0
        return batch

    def take_back(self, batch: "Batch") -> None:
        """What could not be written waits again, before all that came since."""
        self._parts[:0] = batch.parts
        self.entries += batch.entries
        self.chars += batch.chars


class Batch:
    """Entries that are written together."""

    def __init__(self, parts: Sequence[Lines | EndedCall], entries: int, chars: int, *, content: bool) -> None:
        self.parts = parts
        self.entries = entries
        self.chars = chars
        self._content = content

    def text(self) -> str:
        """The lines, without a newline at the end. Hashes long results: to be called away from the event loop."""
        return b"".join(map(self._text_of, self.parts)).decode().removesuffix("\n")

    def _text_of(self, part: Lines | EndedCall) -> bytes | bytearray:
        if isinstance(part, Lines):
            return part.text
        lines = Lines(bytearray())
        lines.add(part, content=self._content)
        return lines.text
