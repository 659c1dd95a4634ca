"""`/api/memory`: what lasts beyond a session, for clients: look up, add, remove. ClawSeed clients know three of these.

Whoever writes here is a person, so their entries may be core.
"""

from datetime import UTC, datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from cetp_gateway.api import CORE, MemoryAuthor, MemoryEntry, MemorySource
from cetp_gateway.server.door.auth import CallerKind
from cetp_gateway.server.requests.errors import HttpError
from cetp_gateway.server.rest.routes import Asked, Parameter, Route

_SHOWN = 100
_MOST_SHOWN = 1000


class MemoryRow(msgspec.Struct, frozen=True, kw_only=True):
    """One entry; times are ISO 8601 with a zone."""

    id: str
    key: str
    content: str
    category: str
    namespace: str
    session_id: str | None
    importance: float
    timestamp: datetime
    """When it was first stored."""
    updated_at: datetime
    score: float | None
    """How well it fits the query, 0 to 1; null without one."""
    superseded_by: str | None
    author: MemoryAuthor
    tool: str | None
    person: str | None


class MemoryList(msgspec.Struct, frozen=True):
    """The entries that fit best, or the newest ones."""

    entries: list[MemoryRow]


class NewMemory(msgspec.Struct, frozen=True, kw_only=True):
    """What shall be remembered."""

    key: Annotated[str, Meta(min_length=1, max_length=200)]
    content: Annotated[str, Meta(min_length=1)]
    category: Annotated[str, Meta(min_length=1, max_length=64)] = CORE
    namespace: Annotated[str, Meta(min_length=1, max_length=64)] = "default"
    session_id: Annotated[str, Meta(max_length=128)] | None = None
    importance: Annotated[float, Meta(ge=0, le=1)] = 0.5


class MemoryStored(msgspec.Struct, frozen=True):
    """What is kept now: under another key when an older entry says the same."""

    status: str
    entry: MemoryRow


class MemoryForgotten(msgspec.Struct, frozen=True):
    """Whether there was something to forget."""

    status: str
    deleted: bool
    key: str


async def show_all(asked: Asked[None]) -> MemoryList:
    given = asked.parameters
    memory, query, limit = asked.service.runtime.memory, given.get("query", ""), given.get("limit", _SHOWN)
    namespace, category, session_id = (
        given.get("namespace", "default"),
        given.get("category", ""),
        given.get("session_id", ""),
    )
    if query.strip():
        found = await memory.recall(query, limit=limit, namespace=namespace, category=category, session_id=session_id)
    else:
        found = await memory.list(category=category, namespace=namespace, session_id=session_id, limit=limit)
    return MemoryList([row(entry) for entry in found])


async def show(asked: Asked[None]) -> MemoryRow:
    key = asked.parameters["key"]
    entry = await asked.service.runtime.memory.get(key, namespace=asked.parameters.get("namespace", "default"))
    if entry is None:
        raise HttpError(404, f"Nothing is remembered under {key}.")
    return row(entry)


async def store(asked: Asked[NewMemory]) -> MemoryStored:
    new = asked.body
    stored = await asked.service.runtime.memory.store(
        MemoryEntry(
            key=new.key,
            content=new.content,
            category=new.category,
            namespace=new.namespace,
            session_id=new.session_id or "",
            importance=new.importance,
            created_at=datetime.now(UTC),
            source=MemorySource(author=MemoryAuthor.PERSON, person=_person(asked)),
        )
    )
    return MemoryStored("ok", row(stored))


async def forget(asked: Asked[None]) -> MemoryForgotten:
    key = asked.parameters["key"]
    gone = await asked.service.runtime.memory.forget(key, namespace=asked.parameters.get("namespace", "default"))
    return MemoryForgotten("ok", gone, key)


def row(entry: MemoryEntry) -> MemoryRow:
    """An entry for clients."""
    return MemoryRow(
        id=entry.key,
        key=entry.key,
        content=entry.content,
        category=entry.category,
        namespace=entry.namespace,
        session_id=entry.session_id or None,
        importance=entry.importance,
        timestamp=entry.created_at,
        updated_at=entry.updated_at or entry.created_at,
        score=entry.score,
        superseded_by=entry.superseded_by or None,
        author=entry.source.author,
        tool=entry.source.tool or None,
        person=entry.source.person or None,
    )


def _person(asked: Asked[NewMemory]) -> str:
    """Whom the entry is from: the paired device's name, or by what right somebody called."""
    if asked.caller.kind is not CallerKind.DEVICE:
        return asked.caller.kind
    devices = asked.service.runtime.paired.list()
    return next((device.name for device in devices if device.id == asked.caller.device_id), asked.caller.device_id)


_NAME = Annotated[str, Meta(min_length=1, max_length=64)]
_NAMESPACE = Parameter(name="namespace", where="query", type=_NAME, description="Whose entries")
_KEY = Parameter(name="key", where="path", type=Annotated[str, Meta(min_length=1, max_length=200)])

ROUTES = (
    Route(
        method="GET",
        path="/api/memory",
        summary="What is remembered: the entries that fit a query best, or the newest ones",
        handler=show_all,
        parameters=(
            Parameter(name="query", where="query", description="Any text"),
            _NAMESPACE,
            Parameter(name="category", where="query", description="core, daily, conversation or one of your own"),
            Parameter(name="session_id", where="query", description="Only entries of this session"),
            Parameter(name="limit", where="query", type=Annotated[int, Meta(ge=1, le=_MOST_SHOWN)]),
        ),
        responses={200: MemoryList},
        refusals=(503,),
    ),
    Route(
        method="POST",
        path="/api/memory",
        summary="Remember something; an entry of the same key is replaced",
        handler=store,
        request=NewMemory,
        responses={200: MemoryStored},
        refusals=(503,),
    ),
    Route(
        method="GET",
        path="/api/memory/{key}",
        summary="One entry",
        handler=show,
        parameters=(_KEY, _NAMESPACE),
        responses={200: MemoryRow},
        refusals=(404, 503),
    ),
    Route(
        method="DELETE",
        path="/api/memory/{key}",
        summary="Forget an entry, with every trace of it",
        handler=forget,
        parameters=(_KEY, _NAMESPACE),
        responses={200: MemoryForgotten},
        refusals=(503,),
    ),
)
