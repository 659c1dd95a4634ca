"""Entries that wait for the disk, and those that are written together.

Above: `audit_log`, `audit_store`. Below: `answered_call`, `audit_entry`.
"""

import logging
import time
from collections.abc import Callable

import msgspec

from cetp_gateway.policy.answered_call import AnsweredCall, Shortening
from cetp_gateway.policy.audit_entry import AuditEntry, EndedCall, entry_of, moment

Noted = EndedCall | AuditEntry

_log = logging.getLogger(__name__)

_encode: Callable[[AuditEntry], bytes] = msgspec.json.Encoder().encode


class Batch(msgspec.Struct):
    """Entries in order."""

    entries: list[AnsweredCall | EndedCall | AuditEntry]
    chars: int = 0
    """Of the results that they hold on to."""
    content: bool = False
    unfit: list[AnsweredCall | EndedCall | AuditEntry] = []
    """Those that could not be JSON when the text was made."""

    def text(self) -> str:
        """One JSON object a line, without a newline at the end; what cannot be JSON is told as lost. Hashes, so
        it is to be called away from the event loop.
        """
        self.unfit = []
        return b"\n".join(map(self._line, self.entries)).decode()

    def _line(self, entry: AnsweredCall | EndedCall | AuditEntry) -> bytes:
        try:
            if isinstance(entry, AnsweredCall):
                return entry.line()
            return _encode(entry_of(entry, content=self.content) if isinstance(entry, EndedCall) else entry)
        except Exception as error:  # noqa: BLE001  (one must cost no other)
            _log.error("an audit entry cannot be written down", exc_info=error)
            self.unfit.append(entry)
            return _encode(AuditEntry(at=moment(time.time()), kind="lost", count=1))


class Waiting:
    """What waits."""

    def __init__(self, *, content: bool) -> None:
        self._content = content
        self._shortening = Shortening()
        self._batch = Batch([], content=content)

    def __len__(self) -> int:
        return len(self._batch.entries)

    @property
    def chars(self) -> int:
        """Of results, about."""
        return self._batch.chars

    def add(self, entry: Noted) -> None:
        """Append one entry."""
        if isinstance(entry, EndedCall):
            self._batch.chars += entry.chars
            self._batch.entries.append(entry if self._content else self._shortening.of(entry) or entry)
        else:
            self._batch.entries.append(entry)

    def take(self) -> Batch:
        """All of it; nothing waits afterwards."""
        batch, self._batch = self._batch, Batch([], content=self._content)
        return batch

    def take_back(self, batch: Batch) -> None:
        """What could not be written waits again, before all that came since."""
        self._batch.entries[:0] = batch.entries
        self._batch.chars += batch.chars
