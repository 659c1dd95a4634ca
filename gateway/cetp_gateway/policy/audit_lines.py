"""Entries that wait for the disk, as the lines they will be.

An entry becomes text at once: a line keeps nothing else alive, and the memory of the call that it tells of is used
again by the next one while it is still in the processor's cache. Entries with a long result wait as they are, for
hashing that would take too long on the event loop. Above: `audit_log`, `audit_store`. Below: `audit_entry`.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from cetp_gateway.policy.answered_line import AnsweredLines
from cetp_gateway.policy.audit_entry import AuditEntry, EndedCall, entry_of

LONG_CHARS: Final = 32 * 1024
"""Results from here on are hashed by the thread that writes them: 0.1 ms on the event loop is enough."""

Noted = EndedCall | AuditEntry

_encode: Callable[[AuditEntry], bytes] = msgspec.json.Encoder().encode


class LineWriter:
    """Turns entries into JSON lines."""

    def __init__(self, *, content: bool) -> None:
        self._content = content
        self._answered = AnsweredLines()

    def append(self, entry: Noted, text: bytearray) -> None:
        """Append one line with its newline. Raises what msgspec raises for an entry that cannot be JSON; nothing has
        been appended then.
        """
        if isinstance(entry, EndedCall):
            line = None if self._content else self._answered.line(entry)
            if line is not None:
                text += line
                return
            entry = entry_of(entry, content=self._content)
        text += _encode(entry) + b"\n"


class Lines(msgspec.Struct, gc=False):
    """Entries as JSON lines, each with its newline."""

    text: bytearray


class Waiting:
    """What waits, in order; counted by entries and by the characters of long results."""

    def __init__(self, *, content: bool) -> None:
        self._writer = LineWriter(content=content)
        self._parts: list[Lines | EndedCall] = []
        self.entries = 0
        self.chars = 0

    def add(self, entry: Noted) -> None:
        """Append one entry. Raises like `LineWriter.append`."""
        if isinstance(entry, EndedCall) and entry.chars >= LONG_CHARS:
            self._parts.append(entry)
            self.chars += entry.chars
        else:
            self._writer.append(entry, self._last().text)
        self.entries += 1

    def _last(self) -> Lines:
        last = self._parts[-1] if self._parts else None
        if not isinstance(last, Lines):
            last = Lines(bytearray())
            self._parts.append(last)
        return last

    def take(self) -> "Batch":
        """All of it; nothing waits afterwards."""
        batch = Batch(self._parts, self.entries, self.chars, self._writer)
        self._parts, self.entries, self.chars = [], 0, 0
        return batch

    def take_back(self, batch: "Batch") -> None:
        """What could not be written waits again, before all that came since."""
        self._parts[:0] = batch.parts
        self.entries += batch.entries
        self.chars += batch.chars


class Batch(msgspec.Struct):
    """Entries that are written together."""

    parts: list[Lines | EndedCall]
    entries: int
    chars: int
    writer: LineWriter

    def text(self) -> str:
        """The lines, without a newline at the end. Hashes long results: to be called away from the event loop."""
        return b"".join(map(self._text_of, self.parts)).decode().removesuffix("\n")

    def _text_of(self, part: Lines | EndedCall) -> bytearray:
        if isinstance(part, Lines):
            return part.text
        text = bytearray()
        self.writer.append(part, text)
        return text
