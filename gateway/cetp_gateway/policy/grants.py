"""Standing permissions: tools that a person has allowed for a session or for good. The latter last and can be revoked.

Above: `security_policy`, the approvals routes. Below: storage.
"""

import secrets
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from cetp_gateway.api import ToolCall
from cetp_gateway.policy.approval_request import definition_digest
from cetp_gateway.storage import Database


class Grant(msgspec.Struct, frozen=True, kw_only=True):
    """One permission. It is for the tool as it was defined then, not for whatever takes its name."""

    id: str
    tool: str
    definition: str
    granted_at: datetime
    granted_by: str
    session_id: str = ""
    """Empty: for good."""


class Grants:
    """Load with `Grants.load`."""

    def __init__(self, database: Database, known: Sequence[Grant]) -> None:
        self._database = database
        self._grants = {grant.id: grant for grant in known}
        self._by_tool = {_key(grant): grant.id for grant in known}

    @classmethod
    async def load(cls, database: Database) -> "Grants":
        """Read those for good. Raises StorageError."""
        return cls(database, await database.read(_select))

    def covers(self, call: ToolCall, session_id: str) -> Grant | None:
        """The permission for this call."""
        if not self._by_tool:
            return None
        definition = definition_digest(call)
        for session in ("", session_id):
            grant_id = self._by_tool.get((session, call.tool.name, definition))
            if grant_id is not None:
                return self._grants[grant_id]
        return None

    def list(self) -> Sequence[Grant]:
        """All of them, oldest first."""
        return sorted(self._grants.values(), key=lambda grant: (grant.granted_at, grant.id))

    async def add(self, call: ToolCall, *, by: str, session_id: str = "") -> Grant:
        """Permit this tool. One for good is stored before it counts; raises StorageError."""
        grant = Grant(
            id=secrets.token_hex(4),
            tool=call.tool.name,
            definition=definition_digest(call),
            granted_at=datetime.now(UTC),
            granted_by=by,
            session_id=session_id,
        )
        if not session_id:
            await self._database.write(lambda connection: _insert(connection, grant))
        self._grants[grant.id] = grant
        self._by_tool[_key(grant)] = grant.id
        return grant

    async def revoke(self, grant_id: str) -> Grant | None:
        """Take a permission back, from this moment on; None when there is none. Raises StorageError: it is taken back
        until a restart.
        """
        grant = self._grants.pop(grant_id, None)
        if grant is None:
            return None
        same = [other.id for other in self._grants.values() if _key(other) == _key(grant)]
        for other in same:
            del self._grants[other]
        self._by_tool.pop(_key(grant), None)
        if not grant.session_id:
            await self._database.write(lambda connection: _delete(connection, grant))
        return grant

    def forget_session(self, session_id: str) -> None:
        """The session was deleted."""
        for grant in [grant for grant in self._grants.values() if session_id and grant.session_id == session_id]:
            del self._grants[grant.id]
            self._by_tool.pop(_key(grant), None)


def _key(grant: Grant) -> tuple[str, str, str]:
    return grant.session_id, grant.tool, grant.definition


def _insert(connection: sqlite3.Connection, grant: Grant) -> None:
    connection.execute(
        "INSERT INTO approval_grants (id, tool, definition, granted_at, granted_by) VALUES (?, ?, ?, ?, ?)",
        (grant.id, grant.tool, grant.definition, grant.granted_at.isoformat(), grant.granted_by),
    )


def _delete(connection: sqlite3.Connection, grant: Grant) -> None:
    connection.execute("DELETE FROM approval_grants WHERE tool = ? AND definition = ?", (grant.tool, grant.definition))


def _select(connection: sqlite3.Connection) -> list[Grant]:
    return [
        Grant(
            id=row["id"],
            tool=row["tool"],
            definition=row["definition"],
            granted_at=datetime.fromisoformat(row["granted_at"]),
            granted_by=row["granted_by"],
        )
        for row in connection.execute("SELECT id, tool, definition, granted_at, granted_by FROM approval_grants")
    ]
