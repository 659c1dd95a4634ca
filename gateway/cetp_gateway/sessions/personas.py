"""Personas: named additions to the system prompt, chosen when a session is opened."""

import re
import sqlite3
from datetime import UTC, datetime

import msgspec

from cetp_gateway.storage import Database

_NAME = re.compile(r"[\w .+-]{1,64}")


class Persona(msgspec.Struct, frozen=True, kw_only=True):
    """A way of answering. `prompt` is added to the system prompt of its sessions."""

    name: str
    prompt: str
    description: str = ""


class Personas:
    """The personas of the database; every method raises StorageError when it cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @staticmethod
    def is_name(text: str) -> bool:
        """1 to 64 letters, digits, blanks and `_.+-`, in any script."""
        return _NAME.fullmatch(text) is not None and text.strip(". ") != ""

    async def list(self) -> list[Persona]:
        """All of them, by name."""
        return await self._database.read(
            lambda connection: [_persona(row) for row in connection.execute("SELECT * FROM personas ORDER BY name")]
        )

    async def get(self, name: str) -> Persona | None:
        def work(connection: sqlite3.Connection) -> Persona | None:
            row = connection.execute("SELECT * FROM personas WHERE name = ?", (name,)).fetchone()
            return _persona(row) if row else None

        return await self._database.read(work)

    async def put(self, persona: Persona) -> None:
        """Create or replace."""
        values = (persona.name, persona.prompt, persona.description, datetime.now(UTC).isoformat())

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT OR REPLACE INTO personas (name, prompt, description, updated_at) VALUES (?, ?, ?, ?)", values
            )

        await self._database.write(work)

    async def delete(self, name: str) -> bool:
        """False when there was none."""
        return await self._database.write(
            lambda connection: connection.execute("DELETE FROM personas WHERE name = ?", (name,)).rowcount > 0
        )


def _persona(row: sqlite3.Row) -> Persona:
    return Persona(name=row["name"], prompt=row["prompt"], description=row["description"])
