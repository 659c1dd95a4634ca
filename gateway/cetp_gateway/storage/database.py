"""The one SQLite file of the data folder, used from one worker thread.

A unit of work is a function of a connection; it runs in its own transaction, which takes the write lock at
its start when it writes, so that no reader-turned-writer can lose (SQLite's SQLITE_BUSY_SNAPSHOT). The event
loop never waits for the disk. Above: the stores of each room. Below: sqlite3.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from cetp_gateway.errors import StorageError

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

FILE_NAME = "cetp.db"
BUSY_TIMEOUT_S = 5.0
"""Another process on the same file (a command line, a backup) may hold the lock for so long."""


class Database:
    """Open with `await Database.open(folder, migrations)`, use `read` and `write`, end with `close`."""

    def __init__(self, connection: sqlite3.Connection, worker: ThreadPoolExecutor) -> None:
        self._connection = connection
        self._worker = worker

    @classmethod
    async def open(cls, folder: Path, migrations: Sequence[str]) -> "Database":
        """Create or open the file and bring it to the newest schema.

        Args:
            folder: the data folder; made, readable by its owner alone, when missing.
            migrations: SQL scripts; script n brings `user_version` n to n + 1.

        Raises:
            StorageError: the folder or file cannot be used, or the file is from a newer version.
        """
        worker = ThreadPoolExecutor(1, thread_name_prefix="database")
        try:
            connection = await asyncio.get_running_loop().run_in_executor(worker, _open, folder, migrations)
        except BaseException:
            worker.shutdown(wait=False)
            raise
        return cls(connection, worker)

    async def read(self, work: "Work[T]") -> T:
        """Run a unit of work that only reads."""
        return await self._run(work, "BEGIN")

    async def write(self, work: "Work[T]") -> T:
        """Run a unit of work that writes; committed when this returns, rolled back when `work` raises."""
        return await self._run(work, "BEGIN IMMEDIATE")

    async def _run(self, work: "Work[T]", begin: str) -> T:
        loop = asyncio.get_running_loop()
        # Shielded: a caller that is cancelled must not leave a transaction half done in the worker.
        return await asyncio.shield(loop.run_in_executor(self._worker, self._transact, work, begin))

    def _transact(self, work: "Work[T]", begin: str) -> T:
        try:
            self._connection.execute(begin)
            try:
                result = work(self._connection)
                self._connection.execute("COMMIT")
            except BaseException:
                # Some failures, a full disk among them, have ended the transaction already.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise StorageError(
                f"The database said: {error}. Check space and permissions of the data folder."
            ) from error
        return result

    async def scrub(self) -> bool:
        """Bring the write-ahead log into the file and empty it, so that what was deleted is in neither of them; False
        when another process reads the file just now, so that it is to be tried again.
        """
        loop = asyncio.get_running_loop()
        return await asyncio.shield(loop.run_in_executor(self._worker, _checkpoint, self._connection))

    async def close(self) -> None:
        """Finish waiting work and close the file."""
        await asyncio.get_running_loop().run_in_executor(self._worker, self._connection.close)
        self._worker.shutdown(wait=True)


def _checkpoint(connection: sqlite3.Connection) -> bool:
    try:
        busy: int = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    except sqlite3.Error as error:
        raise StorageError(f"The database said: {error}. Check space and permissions of the data folder.") from error
    return not busy


def _open(folder: Path, migrations: Sequence[str]) -> sqlite3.Connection:
    path = folder / FILE_NAME
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "secure_delete=ON"):
            connection.execute(f"PRAGMA {pragma}")
        _migrate(connection, migrations)
    except (OSError, sqlite3.Error) as error:
        raise StorageError(
            f"Cannot use {path.name} in the data folder: {error}. Choose another with --data."
        ) from error
    return connection


def _migrate(connection: sqlite3.Connection, migrations: Sequence[str]) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(migrations):
        raise StorageError(
            f"The database is of version {version}, this program knows {len(migrations)}: a newer cetp-toolkit "
            "has written it. Install that version or choose another data folder."
        )
    for number, script in enumerate(migrations[version:], start=version + 1):
        connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;")
