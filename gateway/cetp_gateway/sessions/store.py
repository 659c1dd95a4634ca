"""Sessions and their turns in the database."""

import sqlite3
from datetime import UTC, datetime
from typing import Any

import msgspec

from cetp_gateway.api import Step, TurnRecord, TurnStatus
from cetp_gateway.sessions.transcript import StoredTurn, as_rows
from cetp_gateway.storage import Database

_encode_steps = msgspec.json.Encoder().encode
_decode_steps = msgspec.json.Decoder(tuple[Step, ...]).decode

_SAID_TURNS = 100


class SessionRow(msgspec.Struct, frozen=True, kw_only=True):
    """A session in the list; times are UTC."""

    id: str
    name: str
    persona: str
    created_at: datetime
    last_activity: datetime
    message_count: int


class OpenedSession(msgspec.Struct, frozen=True, kw_only=True):
    """What a client is told when it opens a session."""

    id: str
    name: str
    persona: str
    message_count: int

    @property
    def resumed(self) -> bool:
        """True when the session has messages already."""
        return self.message_count > 0


class SessionStore:
    """Every method is one transaction and raises StorageError when the database cannot be used."""

    def __init__(self, database: Database, default_name: str) -> None:
        self._database = database
        self._default_name = default_name

    async def open(self, session_id: str, *, name: str = "", persona: str = "") -> OpenedSession:
        """Create or resume. A name that is given replaces the stored one; a persona is kept from the first time."""

        def work(connection: sqlite3.Connection) -> OpenedSession:
            self._ensure(connection, session_id)
            if name:
                connection.execute("UPDATE sessions SET name = ? WHERE id = ?", (name, session_id))
            if persona:
                connection.execute(
                    "UPDATE sessions SET persona = ? WHERE id = ? AND persona = ''", (persona, session_id)
                )
            row = _row(connection.execute(f"{_LIST} WHERE id = ?", (session_id,)).fetchone())
            return OpenedSession(id=row.id, name=row.name, persona=row.persona, message_count=row.message_count)

        return await self._database.write(work)

    async def recover(self) -> None:
        """Mark turns that a crash left running as stopped; to be called before the first turn."""
        await self._database.write(
            lambda connection: connection.execute("UPDATE turns SET status = 'aborted' WHERE status = 'running'")
        )

    async def exists(self, session_id: str) -> bool:
        return await self._database.read(
            lambda connection: (
                connection.execute("SELECT 1 FROM sessions WHERE id = ?", (session_id,)).fetchone() is not None
            )
        )

    async def messages(self, session_id: str) -> list[dict[str, Any]]:
        """The session for a client, oldest first; empty when there is no such session."""
        return [row for turn in await self.turns(session_id) for row in as_rows(turn)]

    async def rename(self, session_id: str, name: str, *, only_from: str | None = None) -> bool:
        """False when there is no such session, or when its name is not `only_from`."""

        def work(connection: sqlite3.Connection) -> bool:
            condition, values = ("", ()) if only_from is None else (" AND name = ?", (only_from,))
            statement = f"UPDATE sessions SET name = ? WHERE id = ?{condition}"  # noqa: S608  (constant text)
            return connection.execute(statement, (name, session_id, *values)).rowcount > 0

        return await self._database.write(work)

    async def delete(self, session_id: str) -> bool:
        """Remove a session and its turns; False when there was none."""
        return await self._database.write(
            lambda connection: connection.execute("DELETE FROM sessions WHERE id = ?", (session_id,)).rowcount > 0
        )

    async def turns(self, session_id: str, *, latest: int = -1) -> list[StoredTurn]:
        """The latest so many turns, or all of them; oldest first."""
        statement = "SELECT * FROM turns WHERE session_id = ? ORDER BY number DESC LIMIT ?"

        def work(connection: sqlite3.Connection) -> list[StoredTurn]:
            return [_turn(row) for row in connection.execute(statement, (session_id, latest))][::-1]

        return await self._database.read(work)

    async def said(self, session_id: str) -> str:
        """What a person has written in the latest turns of a session, newest first; empty when there is no such
        session.
        """
        statement = "SELECT user_text FROM turns WHERE session_id = ? AND vouched = 1 ORDER BY number DESC LIMIT ?"
        values = (session_id, _SAID_TURNS)
        return await self._database.read(
            lambda connection: "\n".join(row["user_text"] for row in connection.execute(statement, values))
        )

    async def begin(self, session_id: str, text: str, *, vouched: bool = True) -> StoredTurn:
        """Store a question at the end of the session, which is made when it is not there (any more). `vouched`: the
        words are a person's own.
        """
        now = datetime.now(UTC)

        def work(connection: sqlite3.Connection) -> StoredTurn:
            self._ensure(connection, session_id)
            last = connection.execute("SELECT max(number) FROM turns WHERE session_id = ?", (session_id,)).fetchone()[0]
            turn = StoredTurn(
                session_id=session_id,
                number=(last or 0) + 1,
                user_text=text,
                sent_at=now,
                status=TurnStatus.RUNNING,
            )
            connection.execute(
                "INSERT INTO turns (session_id, number, user_text, sent_at, status, vouched) VALUES (?, ?, ?, ?, ?, ?)",
                (turn.session_id, turn.number, turn.user_text, now.isoformat(), turn.status, vouched),
            )
            _touch(connection, session_id, now)
            return turn

        return await self._database.write(work)

    async def finish(self, turn: StoredTurn, status: TurnStatus, record: TurnRecord) -> None:
        """Store what became of a turn. A session that was deleted meanwhile stays deleted."""
        steps = _encode_steps(record.steps).decode()
        values = (status, record.text, steps, turn.session_id, turn.number)

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE turns SET status = ?, text = ?, steps = ? WHERE session_id = ? AND number = ?", values
            )
            _touch(connection, turn.session_id, datetime.now(UTC))

        await self._database.write(work)

    async def list(self) -> list[SessionRow]:
        """All sessions, the latest activity first."""
        return await self._database.read(
            lambda connection: [_row(row) for row in connection.execute(f"{_LIST} ORDER BY last_activity DESC, id")]
        )

    def _ensure(self, connection: sqlite3.Connection, session_id: str) -> None:
        now = datetime.now(UTC).isoformat()
        connection.execute(
            "INSERT INTO sessions (id, name, created_at, last_activity) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (session_id, self._default_name, now, now),
        )


# A question is one message, an answer that says something or has called tools is another.
_LIST = """
    SELECT id, name, persona, created_at, last_activity,
        (SELECT count(*) + count(CASE WHEN text <> '' OR steps <> '[]' OR status = 'aborted' THEN 1 END)
         FROM turns WHERE session_id = sessions.id) AS message_count
    FROM sessions
"""


def _row(row: sqlite3.Row) -> SessionRow:
    return SessionRow(
        id=row["id"],
        name=row["name"],
        persona=row["persona"],
        created_at=datetime.fromisoformat(row["created_at"]),
        last_activity=datetime.fromisoformat(row["last_activity"]),
        message_count=row["message_count"],
    )


def _turn(row: sqlite3.Row) -> StoredTurn:
    return StoredTurn(
        session_id=row["session_id"],
        number=row["number"],
        user_text=row["user_text"],
        sent_at=datetime.fromisoformat(row["sent_at"]),
        status=TurnStatus(row["status"]),
        text=row["text"],
        steps=_decode_steps(row["steps"]),
    )


def _touch(connection: sqlite3.Connection, session_id: str, now: datetime) -> None:
    connection.execute("UPDATE sessions SET last_activity = ? WHERE id = ?", (now.isoformat(), session_id))
