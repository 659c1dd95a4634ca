"""All personas: those of the database, which REST writes, and those of files, which the owner writes.

Above: `assemble`, the server. Below: `persona_files`, storage.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from cetp_gateway.sessions.persona import Persona, is_persona_name
from cetp_gateway.sessions.persona_files import BrokenPersona, persona_in, personas_in
from cetp_gateway.storage import Database

_log = logging.getLogger(__name__)


class Personas:
    """Of equal names the one in the database counts. Every method raises StorageError when that cannot be used.

    Args:
        database: the gateway's own.
        folder: of the files; None looks at none.
    """

    def __init__(self, database: Database, folder: Path | None = None) -> None:
        self._database = database
        self._folder = folder

    @staticmethod
    def is_name(text: str) -> bool:
        """See `is_persona_name`."""
        return is_persona_name(text)

    async def list(self) -> list[Persona]:
        """All of them, by name."""
        stored = await self._database.read(
            lambda connection: [_persona(row) for row in connection.execute("SELECT * FROM personas")]
        )
        files = [one for one in await self._files() if isinstance(one, Persona)]
        found = {persona.name: persona for persona in (*files, *stored)}
        return [found[name] for name in sorted(found)]

    async def broken(self) -> Sequence[BrokenPersona]:
        """Files that cannot be used."""
        return [one for one in await self._files() if isinstance(one, BrokenPersona)]

    async def get(self, name: str) -> Persona | None:
        """One of them; None when there is none, or its file cannot be used."""
        return await self._stored(name) or await self._of_file(name)

    async def _files(self) -> Sequence[Persona | BrokenPersona]:
        return await asyncio.to_thread(personas_in, self._folder) if self._folder is not None else []

    async def _of_file(self, name: str) -> Persona | None:
        if self._folder is None or not is_persona_name(name):
            return None
        found = await asyncio.to_thread(persona_in, self._folder, name)
        if isinstance(found, BrokenPersona):
            _log.warning("the persona %s is left out: %s", found.name, found.problem)
            return None
        return found

    async def _stored(self, name: str) -> Persona | None:
        def work(connection: sqlite3.Connection) -> Persona | None:
            row = connection.execute("SELECT * FROM personas WHERE name = ?", (name,)).fetchone()
            return _persona(row) if row else None

        return await self._database.read(work)

    async def put(self, persona: Persona) -> None:
        """Create or replace."""
        values = (
            persona.name,
            persona.prompt,
            persona.description,
            datetime.now(UTC).isoformat(),
            msgspec.json.encode(persona.allowed).decode(),
            msgspec.json.encode(persona.denied).decode(),
        )

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT OR REPLACE INTO personas (name, prompt, description, updated_at, allowed, denied) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                values,
            )

        await self._database.write(work)

    async def delete(self, name: str) -> bool:
        """False when the database has none; files stay."""
        return await self._database.write(
            lambda connection: connection.execute("DELETE FROM personas WHERE name = ?", (name,)).rowcount > 0
        )


def _persona(row: sqlite3.Row) -> Persona:
    return Persona(
        name=row["name"],
        prompt=row["prompt"],
        description=row["description"],
        allowed=msgspec.json.decode(row["allowed"], type=tuple[str, ...]),
        denied=msgspec.json.decode(row["denied"], type=tuple[str, ...]),
    )
