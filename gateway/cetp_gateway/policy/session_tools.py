"""Which tools a session may use of those that the gateway offers: its own rules, and those of its persona meanwhile.

They only narrow. Above: `security_policy`, the session routes. Below: storage, the rules' meaning in `tools`.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import msgspec

from cetp_gateway.api import ToolRules, ToolSpec
from cetp_gateway.storage import Database
from cetp_gateway.tools import Narrowing

_PUT: Final = "INSERT OR REPLACE INTO session_tools (session_id, rules) VALUES (?, ?)"
_DELETE: Final = "DELETE FROM session_tools WHERE session_id = ?"


class SessionTools:
    """Load with `SessionTools.load`; asked in memory."""

    def __init__(self, database: Database, rules: dict[str, ToolRules]) -> None:
        self._database = database
        self._rules = rules
        self._narrowings = {session_id: Narrowing(one) for session_id, one in rules.items()}
        self._personas: dict[str, Narrowing] = {}

    @classmethod
    async def load(cls, database: Database) -> "SessionTools":
        """Read what the sessions have. Raises StorageError."""
        return cls(database, await database.read(_select))

    def of(self, session_id: str) -> ToolRules:
        """The session's own; those that narrow nothing when it has none."""
        return self._rules.get(session_id, ToolRules())

    def objection(self, tool: ToolSpec, session_id: str) -> str:
        """Why a call of this tool may not run in this session now; empty when it may."""
        for narrowings in (self._narrowings, self._personas):
            narrowing = narrowings.get(session_id)
            if narrowing is not None and (objection := narrowing.objection(tool)):
                return objection
        return ""

    @contextmanager
    def turn(self, session_id: str, persona: ToolRules) -> Iterator[Narrowing]:
        """While a turn runs its persona's rules hold besides; gives all rules that hold for it as it begins. A session
        has one turn at a time.
        """
        self._personas[session_id] = Narrowing(persona, of="the persona")
        try:
            yield Narrowing(self.of(session_id), persona)
        finally:
            del self._personas[session_id]

    async def set(self, session_id: str, rules: ToolRules) -> None:
        """Say it for a stored session. Raises StorageError."""
        before = self._rules.get(session_id, ToolRules())
        # The stricter of both holds while it is being stored.
        self._narrowings[session_id] = Narrowing(before, rules)
        try:
            await self._database.write(lambda connection: _store(connection, session_id, rules))
        except BaseException:
            self._narrowings[session_id] = Narrowing(before)
            raise
        self._rules[session_id], self._narrowings[session_id] = rules, Narrowing(rules)

    def forget(self, session_id: str) -> None:
        """The session was deleted; another of the same id starts anew."""
        self._rules.pop(session_id, None)
        self._narrowings.pop(session_id, None)


def _store(connection: sqlite3.Connection, session_id: str, rules: ToolRules) -> None:
    if rules == ToolRules():
        connection.execute(_DELETE, (session_id,))
    else:
        connection.execute(_PUT, (session_id, msgspec.json.encode(rules).decode()))


def _select(connection: sqlite3.Connection) -> dict[str, ToolRules]:
    rows = connection.execute("SELECT session_id, rules FROM session_tools")
    return {row["session_id"]: msgspec.json.decode(row["rules"], type=ToolRules) for row in rows}
