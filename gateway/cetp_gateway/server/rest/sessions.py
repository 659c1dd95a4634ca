"""`/api/sessions`: the list of conversations, their messages, renaming, deleting, stopping a turn."""

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from cetp_gateway.errors import UnknownSession
from cetp_gateway.server.requests.errors import HttpError
from cetp_gateway.server.rest.one_session import ID, known_session
from cetp_gateway.server.rest.routes import NOT_BLANK, Asked, Route

_NAME_CHARS = 200


class SessionEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A session in the list; times are ISO 8601 with a zone."""

    session_id: str
    name: str
    persona: str = ""
    created_at: datetime
    last_activity: datetime
    message_count: int


class SessionList(msgspec.Struct, frozen=True):
    """All sessions, the latest activity first."""

    sessions: list[SessionEntry]


class RunningSessions(msgspec.Struct, frozen=True):
    """Sessions in which a turn is running."""

    sessions: list[str]


class SessionMessages(msgspec.Struct, frozen=True):
    """What was said, oldest first."""

    session_id: str
    session_persistence: bool
    messages: list[dict[str, Any]]


class NewName(msgspec.Struct, frozen=True):
    """How a session shall be called; blanks at the ends do not count."""

    name: Annotated[str, Meta(min_length=1, max_length=_NAME_CHARS), NOT_BLANK]


class Renamed(msgspec.Struct, frozen=True):
    """How a session is called now."""

    session_id: str
    name: str


class Deleted(msgspec.Struct, frozen=True):
    """A session is gone."""

    deleted: bool
    session_id: str


class Aborted(msgspec.Struct, frozen=True):
    """Whether there was a turn to stop."""

    status: Literal["aborted", "no_active_response"]


class SessionState(msgspec.Struct, frozen=True):
    """What a session is doing."""

    session_id: str
    state: Literal["running", "idle"]


async def show_all(asked: Asked[None]) -> SessionList:
    rows = await asked.service.runtime.sessions.list()
    return SessionList(
        [
            SessionEntry(
                session_id=row.id,
                name=row.name,
                persona=row.persona,
                created_at=row.created_at,
                last_activity=row.last_activity,
                message_count=row.message_count,
            )
            for row in rows
        ]
    )


async def running(asked: Asked[None]) -> RunningSessions:
    return RunningSessions(sorted(asked.service.runtime.conversations.running()))


async def messages(asked: Asked[None]) -> SessionMessages:
    session_id = asked.parameters["id"]
    return SessionMessages(session_id, True, await asked.service.runtime.sessions.messages(session_id))


async def rename(asked: Asked[NewName]) -> Renamed:
    session_id, name = asked.parameters["id"], asked.body.name.strip()
    if not name:
        raise HttpError(400, "name: it must have at least one letter.")
    if not await asked.service.runtime.sessions.rename(session_id, name):
        raise UnknownSession(f"There is no session {session_id}.")
    return Renamed(session_id, name)


async def delete(asked: Asked[None]) -> Deleted:
    """A running turn is stopped first: its answer would belong to nothing."""
    session_id = asked.parameters["id"]
    asked.service.runtime.conversations.abort(session_id)
    if not await asked.service.runtime.sessions.delete(session_id):
        raise UnknownSession(f"There is no session {session_id}.")
    asked.service.runtime.policy.forget_session(session_id)
    asked.service.runtime.results.forget(session_id)
    return Deleted(True, session_id)


async def abort(asked: Asked[None]) -> Aborted:
    stopped = asked.service.runtime.conversations.abort(asked.parameters["id"])
    return Aborted("aborted" if stopped else "no_active_response")


async def state(asked: Asked[None]) -> SessionState:
    session_id = await known_session(asked)
    is_running = session_id in asked.service.runtime.conversations.running()
    return SessionState(session_id, "running" if is_running else "idle")


ROUTES = (
    Route(
        method="GET",
        path="/api/sessions",
        summary="All sessions",
        handler=show_all,
        responses={200: SessionList},
        refusals=(503,),
    ),
    Route(
        method="GET",
        path="/api/sessions/running",
        summary="Sessions in which a turn is running",
        handler=running,
        responses={200: RunningSessions},
    ),
    Route(
        method="GET",
        path="/api/sessions/{id}/messages",
        summary="The messages of a session; none when it is unknown",
        handler=messages,
        parameters=(ID,),
        responses={200: SessionMessages},
        refusals=(503,),
    ),
    Route(
        method="PUT",
        path="/api/sessions/{id}",
        summary="Rename a session",
        handler=rename,
        parameters=(ID,),
        request=NewName,
        responses={200: Renamed},
        refusals=(404, 503),
    ),
    Route(
        method="DELETE",
        path="/api/sessions/{id}",
        summary="Delete a session; its running turn is stopped",
        handler=delete,
        parameters=(ID,),
        responses={200: Deleted},
        refusals=(404, 503),
    ),
    Route(
        method="POST",
        path="/api/sessions/{id}/abort",
        summary="Stop the running turn",
        handler=abort,
        parameters=(ID,),
        responses={200: Aborted},
    ),
    Route(
        method="GET",
        path="/api/sessions/{id}/state",
        summary="Whether a turn is running",
        handler=state,
        parameters=(ID,),
        responses={200: SessionState},
        refusals=(404, 503),
    ),
)
