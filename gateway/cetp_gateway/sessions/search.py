"""Looks through what was said in all sessions. The database is let go of between pieces, so that no turn waits long.

Above: `assemble`, for the tools of the model. Below: storage.
"""

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Final

import msgspec

from cetp_gateway.storage import Database

WORDS: Final = 8
"""Of a query; further ones do not count."""
_PIECE: Final = 25
"""Sessions looked through at once."""
_MOST: Final = 5000
"""Sessions looked through, the latest first."""
_EXCERPT_CHARS: Final = 400
_QUESTION_CHARS: Final = 300


class SessionHead(msgspec.Struct, frozen=True, kw_only=True):
    """A session in short."""

    id: str
    name: str
    last_activity: datetime
    turns: int


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """A turn in which all words of a query occur."""

    session_id: str
    session_name: str
    at: datetime
    question: str
    """The beginning of what the person wrote."""
    excerpt: str
    """Around the first of the words, of the question or the answer."""
    in_question: bool


class SessionSearch:
    """Every method raises StorageError when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def latest(self, limit: int) -> Sequence[SessionHead]:
        """The sessions with the latest activity."""
        return await self._database.read(
            lambda connection: [
                SessionHead(
                    id=row["id"],
                    name=row["name"],
                    last_activity=datetime.fromisoformat(row["last_activity"]),
                    turns=row["turns"],
                )
                for row in connection.execute(_LATEST, (limit,))
            ]
        )

    async def search(self, query: str, *, limit: int) -> Sequence[Passage]:
        """Turns in which every word occurs, of the sessions with the latest activity first. Words are parts of words;
        letter case does not count.
        """
        words = query.split()[:WORDS]
        if not words:
            return ()
        sessions = await self._database.read(_sessions)
        found: list[Passage] = []
        for start in range(0, len(sessions), _PIECE):
            piece = sessions[start : start + _PIECE]
            found += await self._database.read(partial(_passages, sessions=piece, words=words, limit=limit))
            if len(found) >= limit:
                break
        return found[:limit]


_LATEST = """
    SELECT id, name, last_activity, (SELECT count(*) FROM turns WHERE session_id = sessions.id) AS turns
    FROM sessions ORDER BY last_activity DESC, id LIMIT ?
"""


def _sessions(connection: sqlite3.Connection) -> list[str]:
    return [
        row["id"] for row in connection.execute("SELECT id FROM sessions ORDER BY last_activity DESC LIMIT ?", (_MOST,))
    ]


def _passages(
    connection: sqlite3.Connection, sessions: Sequence[str], words: Sequence[str], limit: int
) -> list[Passage]:
    patterns = [_spellings(word) for word in words]
    one = r"(user_text LIKE ? ESCAPE '\' OR text LIKE ? ESCAPE '\')"
    each = " AND ".join(f"({' OR '.join([one] * len(spellings))})" for spellings in patterns)
    marks = ", ".join("?" * len(sessions))
    values = [pattern for spellings in patterns for spelling in spellings for pattern in (spelling, spelling)]
    rows = connection.execute(
        "SELECT t.session_id, s.name, s.last_activity, t.sent_at, t.user_text, t.text FROM turns AS t "  # noqa: S608
        f"JOIN sessions AS s ON s.id = t.session_id WHERE t.session_id IN ({marks}) AND {each} "
        "ORDER BY s.last_activity DESC, t.number DESC LIMIT ?",
        (*sessions, *values, limit),
    )
    return [_passage(row, words) for row in rows]


def _spellings(word: str) -> list[str]:
    """Patterns for a word. SQLite takes care of the case of ASCII letters alone."""
    spellings = [word] if word.isascii() else dict.fromkeys((word, word.lower(), word.upper(), word.capitalize()))
    return [f"%{_escaped(spelling)}%" for spelling in spellings]


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")


def _passage(row: sqlite3.Row, words: Sequence[str]) -> Passage:
    in_question = _place(row["user_text"], words) >= 0
    return Passage(
        session_id=row["session_id"],
        session_name=row["name"],
        at=datetime.fromisoformat(row["sent_at"]),
        question=row["user_text"][:_QUESTION_CHARS],
        excerpt=_excerpt(row["user_text"] if in_question else row["text"], words),
        in_question=in_question,
    )


def _excerpt(text: str, words: Sequence[str]) -> str:
    start = max(0, _place(text, words) - _EXCERPT_CHARS // 4)
    piece = " ".join(text[start : start + _EXCERPT_CHARS].split())
    return f"{'… ' if start else ''}{piece}{' …' if start + _EXCERPT_CHARS < len(text) else ''}"


def _place(text: str, words: Sequence[str]) -> int:
    """Where the first of the words begins; -1 when none is there."""
    lower = text.lower()
    places = [place for place in (lower.find(word.lower()) for word in words) if place >= 0]
    return min(places, default=-1)
