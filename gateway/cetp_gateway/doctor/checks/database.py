"""The database: whole, of a schema that this program knows, with an SQLite that can do what is needed.

Read only, and beside a gateway that is using it.
"""

import asyncio
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from cetp_gateway.doctor.case import Case
from cetp_gateway.doctor.finding import Finding, broken, ok, warning
from cetp_gateway.storage import FILE_NAME, MIGRATIONS

ABOUT: Final = "database"
_CHECK_S: Final = 10.0
_STEPS: Final = 20_000
"""Of SQLite's machine between two looks at the clock."""


async def check_database(case: Case) -> Sequence[Finding]:
    return await asyncio.to_thread(lambda: [*_engine(), *_file(case.data_folder / FILE_NAME)])


def _engine() -> Iterator[Finding]:
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE words USING fts5(text)")
        except sqlite3.OperationalError:
            says = f"This Python's SQLite {sqlite3.sqlite_version} has no full-text search (FTS5)."
            yield broken(ABOUT, says, "Use a Python whose SQLite has it, such as your system's own.")


def _file(path: Path) -> Iterator[Finding]:
    if not path.exists():
        yield ok(ABOUT, "There is none yet; the first start makes it.")
        return
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=2)) as connection:
            yield _schema(connection)
            yield _integrity(connection, path)
    except sqlite3.Error as error:
        yield broken(ABOUT, f"{path} cannot be read ({error}).", _restore(path))


def _schema(connection: sqlite3.Connection) -> Finding:
    version, newest = connection.execute("PRAGMA user_version").fetchone()[0], len(MIGRATIONS)
    if version > newest:
        says = f"Its schema is of version {version}, this program knows {newest}."
        return broken(ABOUT, says, "Install the newer cetp-toolkit that wrote it, or choose another with --data.")
    if version < newest:
        return ok(ABOUT, f"Its schema is of version {version}; the next start brings it to {newest}.")
    return ok(ABOUT, f"Its schema is of version {version}, the newest.")


def _integrity(connection: sqlite3.Connection, path: Path) -> Finding:
    ends = time.monotonic() + _CHECK_S
    connection.set_progress_handler(lambda: time.monotonic() > ends, _STEPS)
    try:
        said = connection.execute("PRAGMA quick_check(3)").fetchall()
    except sqlite3.OperationalError:
        if time.monotonic() <= ends:
            raise
        fix = f"To be sure: sqlite3 {path} 'PRAGMA quick_check'"
        return warning(ABOUT, f"It is too large to be checked as a whole within {_CHECK_S:g} s.", fix)
    if said == [("ok",)]:
        return ok(ABOUT, f"{path} is whole.")
    return broken(ABOUT, f"{path} is damaged: {'; '.join(str(row[0]) for row in said)[:300]}", _restore(path))


def _restore(path: Path) -> str:
    return f"Stop the gateway, keep a copy, then: sqlite3 {path} .recover | sqlite3 mended.db, or take a backup."
