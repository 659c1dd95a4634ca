"""Conversations that last: their turns in SQLite, one turn at a time each, abort, regenerate, titles, personas.

Above: the server and assemble. Below: storage and api. The room knows no socket, no registry and no model;
what answers a question is given to it.
"""

from cetp_gateway.sessions.asker import Asker
from cetp_gateway.sessions.conversations import Answer, Conversations, Question
from cetp_gateway.sessions.identifiers import is_session_id, new_session_id
from cetp_gateway.sessions.lines import Lines
from cetp_gateway.sessions.persona import Persona, personas_note
from cetp_gateway.sessions.persona_files import BrokenPersona, personas_in
from cetp_gateway.sessions.personas import Personas
from cetp_gateway.sessions.search import Passage, SessionHead, SessionSearch
from cetp_gateway.sessions.store import OpenedSession, SessionRow, SessionStore
from cetp_gateway.sessions.titles import NameTitle, Titles
from cetp_gateway.sessions.transcript import StoredTurn

__all__ = [
    "Answer",
    "Asker",
    "BrokenPersona",
    "Conversations",
    "Lines",
    "NameTitle",
    "OpenedSession",
    "Passage",
    "Persona",
    "Personas",
    "Question",
    "SessionHead",
    "SessionRow",
    "SessionSearch",
    "SessionStore",
    "StoredTurn",
    "Titles",
    "is_session_id",
    "new_session_id",
    "personas_in",
    "personas_note",
]
