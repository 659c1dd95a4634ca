"""The end of the audit trail that grows: takes entries at once, writes them down in batches, off the callers' path.

`note` costs a caller some microseconds; what it was given is on disk `audit.flush_s` later. `keep` returns when its
entry is on disk. On disk means committed: it outlives this process; after a power cut the last commits may be missing,
never an older entry, and never is the chain broken. Above: `security_policy`. Below: `audit_store`.
"""

import asyncio
import contextlib
import functools
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from cetp_gateway.errors import StorageError
from cetp_gateway.policy.audit_batch import Batch, Noted, Waiting
from cetp_gateway.policy.audit_entry import AuditEntry, moment
from cetp_gateway.policy.audit_store import DAY_S, add, prune
from cetp_gateway.settings.policy import AuditSettings
from cetp_gateway.storage import Database

BATCH: Final = 1024
"""With so many entries, more are not waited for."""
BATCH_CHARS: Final = 4 * 1024 * 1024
"""Of results; with so many, nothing is waited for either."""
HELD_ENTRIES: Final = 10_000
HELD_CHARS: Final = 32 * 1024 * 1024
"""What may wait for a disk that cannot be written, in entries and characters of results; the rest is lost."""
RETRY_S: Final = 1.0
PRUNE_INTERVAL_S: Final = 6 * 3600.0

_UNFIT: Final = "The audit trail cannot take this entry; the gateway's log says why."
_Asked = tuple[asyncio.Future[None], Noted | None]
"""Somebody waits for the disk, and the entry for which they do, if for a certain one."""

_log = logging.getLogger(__name__)


class AuditLog:
    """Open with `AuditLog.opened`; entries are written until the block ends."""

    def __init__(self, database: Database, settings: AuditSettings) -> None:
        self._database = database
        self._settings = settings
        self._waiting = Waiting(content=settings.content)
        self._asked: list[_Asked] = []
        self._lost = 0
        self._some = asyncio.Event()
        self._urgent = asyncio.Event()
        self._closing = False

    @classmethod
    @asynccontextmanager
    async def opened(cls, database: Database, settings: AuditSettings) -> AsyncIterator["AuditLog"]:
        """Remove what is too old, then write what comes until the end of the block; what waits then is written too."""
        log = cls(database, settings)
        await log._prune()
        # No TaskGroup: it would wrap what the block raises, and the writer has to outlive the block's last entries.
        writing, pruning = asyncio.create_task(log._write_on()), asyncio.create_task(log._prune_on())
        try:
            yield log
        finally:
            pruning.cancel()
            log._close()
            await asyncio.wait((writing, pruning))

    @property
    def waiting(self) -> int:
        """Entries that are not on disk yet."""
        return len(self._waiting)

    def note(self, entry: Noted) -> bool:
        """Write this down soon. False when too much waits already: the entry is counted as lost."""
        waiting = self._waiting
        if len(waiting) >= HELD_ENTRIES or waiting.chars > HELD_CHARS:
            self._lost += 1
            return False
        waiting.add(entry)
        if len(waiting) == 1:
            self._some.set()
        elif len(waiting) >= BATCH or waiting.chars >= BATCH_CHARS:
            self._urgent.set()
        return True

    async def keep(self, entry: Noted) -> None:
        """Write this down now, with all that waits. Raises StorageError when it cannot be; it may be on disk later."""
        if not self.note(entry):
            raise StorageError("The audit trail cannot be written. Check space and permissions of the data folder.")
        await self._written(entry)

    async def flush(self) -> None:
        """Return when all that waits is on disk. Raises StorageError."""
        await self._written(None)

    async def _written(self, entry: Noted | None) -> None:
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asked.append((written, entry))
        self._some.set()
        self._urgent.set()
        await written

    def _close(self) -> None:
        self._closing = True
        self._some.set()
        self._urgent.set()

    async def _write_on(self) -> None:
        """The only writer, so that entries stay in their order and no caller's cancellation can tear a batch."""
        while not self._closing:
            await self._some.wait()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._settings.flush_s):
                    await self._urgent.wait()
            try:
                await self._write_waiting()
            except StorageError as error:
                _log.warning("%d audit entries wait: %s", len(self._waiting), error)
                if not self._closing:
                    await asyncio.sleep(RETRY_S)
                    self._some.set()
        if len(self._waiting) or self._lost:
            try:
                await self._write_waiting()
            except StorageError as error:
                _log.error("%d audit entries are lost at the end: %s", len(self._waiting), error)

    async def _write_waiting(self) -> None:
        if self._lost:
            self._waiting.add(AuditEntry(at=moment(time.time()), kind="lost", count=self._lost))
            self._lost = 0
        batch, asked, self._asked = self._waiting.take(), self._asked, []
        self._some.clear()
        self._urgent.clear()
        try:
            if batch.entries:
                await self._database.write(functools.partial(add, batch=batch))
        except StorageError as error:
            self._take_back(batch)
            _answer(asked, error)
            raise
        except Exception as error:  # noqa: BLE001  (whatever is wrong with a batch must not end the trail)
            _log.error("%d audit entries cannot be written down", len(batch.entries), exc_info=error)
            self._lost += len(batch.entries)
            _answer(asked, StorageError(_UNFIT))
            return
        _answer([one for one in asked if _is_unfit(one, batch)], StorageError(_UNFIT))
        _answer(asked, None)

    def _take_back(self, batch: Batch) -> None:
        self._waiting.take_back(batch)
        if len(self._waiting):
            self._some.set()

    async def _prune_on(self) -> None:
        while True:
            await asyncio.sleep(PRUNE_INTERVAL_S)
            await self._prune()

    async def _prune(self) -> None:
        if not self._settings.retention_days:
            return
        before = time.time() - self._settings.retention_days * DAY_S
        try:
            removed = await self._database.write(lambda connection: prune(connection, before=before))
        except StorageError as error:
            _log.warning("old audit entries could not be removed: %s", error)
            return
        if removed:
            _log.info("%d audit entries older than %d days were removed", removed, self._settings.retention_days)


def _is_unfit(asked: _Asked, batch: Batch) -> bool:
    return any(asked[1] is entry for entry in batch.unfit)


def _answer(asked: list[_Asked], error: StorageError | None) -> None:
    for written, _ in asked:
        if written.done():
            continue
        if error is None:
            written.set_result(None)
        else:
            written.set_exception(error)
