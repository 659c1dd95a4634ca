"""Which autonomy a call has: that of its session, of its client and of its entrance, the strictest of them.

Above: `security_policy`, the session routes. Below: storage, settings.
"""

import sqlite3
from typing import Final

from cetp_gateway.api import Autonomy, CallContext
from cetp_gateway.errors import SettingsError
from cetp_gateway.settings.policy import PolicySettings
from cetp_gateway.storage import Database

_PUT: Final = "INSERT INTO session_autonomy (session_id, autonomy) VALUES (?, ?) ON CONFLICT DO UPDATE SET autonomy = ?"
_DELETE: Final = "DELETE FROM session_autonomy WHERE session_id = ?"


class Levels:
    """Load with `Levels.load`; asked in memory."""

    def __init__(self, database: Database, settings: PolicySettings, sessions: dict[str, Autonomy]) -> None:
        self._database = database
        self._sessions = sessions
        self.use(settings)

    @classmethod
    async def load(cls, database: Database, settings: PolicySettings) -> "Levels":
        """Read what the sessions have. Raises StorageError; SettingsError for a rule of `policy.clients`."""
        return cls(database, settings, await database.read(_select))

    def use(self, settings: PolicySettings) -> None:
        """Take over other rules; what sessions have of their own stays. Raises SettingsError and changes nothing."""
        clients = levels_of_clients(settings)
        self._default, self._clients = settings.autonomy, clients

    def of(self, context: CallContext) -> Autonomy:
        """The strictest of those that are said for the caller and for the session; the default when none is."""
        if not self._sessions and not self._clients:
            return self._default
        said = [
            level
            for level in (
                self._sessions.get(context.session_id),
                self._clients.get(context.client),
                self._clients.get(context.caller),
            )
            if level is not None
        ]
        return min(said, key=lambda level: level.freedom) if said else self._default

    def of_session(self, session_id: str) -> Autonomy | None:
        """What was said for this session; None when nothing was."""
        return self._sessions.get(session_id)

    async def set(self, session_id: str, level: Autonomy | None) -> None:
        """Say it for a stored session; None takes it back. Raises StorageError."""
        if level is None:
            await self._database.write(lambda connection: connection.execute(_DELETE, (session_id,)))
            self._sessions.pop(session_id, None)
            return
        # The stricter of both holds while it is being stored, and after a failure.
        before = self._sessions.get(session_id, self._default)
        if level.freedom < before.freedom:
            self._sessions[session_id] = level
        await self._database.write(lambda connection: connection.execute(_PUT, (session_id, level.value, level.value)))
        self._sessions[session_id] = level

    def forget(self, session_id: str) -> None:
        """The session was deleted; another of the same id starts anew."""
        self._sessions.pop(session_id, None)


def levels_of_clients(settings: PolicySettings) -> dict[str, Autonomy]:
    """What `policy.clients` says; raises SettingsError for a rule that cannot be read."""
    return dict(_read(rule) for rule in settings.clients)


def _read(rule: str) -> tuple[str, Autonomy]:
    client, _, level = (part.strip() for part in rule.partition("="))
    try:
        return client, Autonomy(level)
    except ValueError:
        known = ", ".join(Autonomy)
        raise SettingsError(
            f"policy.clients: {rule!r} should be CLIENT=LEVEL with one of the levels {known}."
        ) from None


def _select(connection: sqlite3.Connection) -> dict[str, Autonomy]:
    rows = connection.execute("SELECT session_id, autonomy FROM session_autonomy")
    return {row["session_id"]: Autonomy(row["autonomy"]) for row in rows}
