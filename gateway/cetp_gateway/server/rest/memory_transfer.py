"""`/api/memories/…`: the whole memory out and in, piece by piece, and its figures."""

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from cetp_gateway.api import CONVERSATION, CORE, DAILY, MemoryEntry, MemoryFilter, MemoryPage
from cetp_gateway.server.rest.routes import Asked, Parameter, Route

_PIECE = 500


class MemoryImport(msgspec.Struct, frozen=True):
    """Entries as an export gives them."""

    entries: list[MemoryEntry]


class MemoryImported(msgspec.Struct, frozen=True):
    """How many entries were taken in."""

    imported: int


class MemoryStats(msgspec.Struct, frozen=True, kw_only=True):
    """The memory's state and figures."""

    backend: str
    ok: bool
    detail: str
    search_mode: str
    embedding_provider: str
    embedding_model: str
    embedding_dims: int
    count: int
    core: int
    daily: int
    conversation: int
    other: int
    """In the owner's own categories."""


async def export(asked: Asked[None]) -> MemoryPage:
    given = asked.parameters
    wanted = MemoryFilter(
        namespace=given.get("namespace", ""),
        session_id=given.get("session_id", ""),
        category=given.get("category", ""),
        since=given.get("since"),
        until=given.get("until"),
    )
    return await asked.service.runtime.memory.export(
        wanted, after=given.get("after", 0), limit=given.get("limit", _PIECE)
    )


async def restore(asked: Asked[MemoryImport]) -> MemoryImported:
    return MemoryImported(await asked.service.runtime.memory.restore(asked.body.entries))


async def stats(asked: Asked[None]) -> MemoryStats:
    memory = asked.service.runtime.memory
    health, count = await memory.health(), await memory.count()
    core, daily, conversation = [await memory.count(category=name) for name in (CORE, DAILY, CONVERSATION)]
    return MemoryStats(
        backend=health.backend,
        ok=health.ok,
        detail=health.detail,
        search_mode=health.search_mode,
        embedding_provider=health.embedding_provider,
        embedding_model=health.embedding_model,
        embedding_dims=health.embedding_dims,
        count=count,
        core=core,
        daily=daily,
        conversation=conversation,
        other=max(0, count - core - daily - conversation),
    )


_NUMBER = Annotated[int, Meta(ge=0, le=2**62)]

ROUTES = (
    Route(
        method="GET",
        path="/api/memories/export",
        summary="Entries in the order in which they came, piece by piece",
        handler=export,
        parameters=(
            Parameter(name="namespace", where="query", description="Only of this namespace"),
            Parameter(name="session_id", where="query", description="Only of this session"),
            Parameter(name="category", where="query", description="Only of this category"),
            Parameter(name="since", where="query", type=datetime, description="Created at this time or later"),
            Parameter(name="until", where="query", type=datetime, description="Created before this time"),
            Parameter(name="after", where="query", type=_NUMBER, description="`next` of the piece before"),
            Parameter(name="limit", where="query", type=Annotated[int, Meta(ge=1, le=1000)]),
        ),
        responses={200: MemoryPage},
        refusals=(503,),
    ),
    Route(
        method="POST",
        path="/api/memories/import",
        summary="Take exported entries in, all or none; those with a known key replace it",
        handler=restore,
        request=MemoryImport,
        body_limit="config_bytes",
        responses={200: MemoryImported},
        refusals=(503,),
    ),
    Route(
        method="GET",
        path="/api/memories/stats",
        summary="The memory's state and figures",
        handler=stats,
        responses={200: MemoryStats},
        refusals=(503,),
    ),
)
