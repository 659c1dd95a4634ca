"""`/api/audit`: the trail of calls and decisions, page by page, and as it was sealed, for those who check it.

Above: table. Below: policy.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from cetp_gateway.policy import NumberedEntry
from cetp_gateway.server.rest.routes import Asked, Parameter, Route

PAGE = 200
"""Entries, or sealed stretches, of one answer when nothing else is asked for."""


class AuditPage(msgspec.Struct, frozen=True):
    """Entries, oldest first."""

    entries: list[NumberedEntry]
    last: int
    """Number to go on after; the same as asked when there was nothing new."""


class SealedStretch(msgspec.Struct, frozen=True):
    """Lines of the trail exactly as they were sealed (see `cetp audit verify`)."""

    through: int
    """Number of the last entry."""
    lines: str
    """One JSON object each."""
    seal: str
    """Hex."""


class SealedPage(msgspec.Struct, frozen=True):
    """Stretches in order; an empty list is the end."""

    stretches: list[SealedStretch]


async def show(asked: Asked[None]) -> AuditPage:
    trail, limit = asked.service.runtime.policy.trail, asked.parameters.get("limit", PAGE)
    fits = {name: asked.parameters[name] for name in ("session", "tool") if name in asked.parameters}
    after = asked.parameters.get("after")
    if after is None:
        entries = await trail.latest(limit, **fits)
        return AuditPage(entries, entries[-1].number if entries else 0)
    return AuditPage(*await trail.after(after, limit, **fits))


async def show_sealed(asked: Asked[None]) -> SealedPage:
    after, limit = asked.parameters.get("after", 0), asked.parameters.get("limit", PAGE)
    stretches = await asked.service.runtime.policy.trail.stretches(after, limit)
    return SealedPage([SealedStretch(each.through, each.lines, each.seal.hex()) for each in stretches])


_AFTER = Parameter(
    name="after",
    where="query",
    type=Annotated[int, Meta(ge=0, le=2**53)],
    description="Only what is numbered higher; without it, the latest",
)
_LIMIT = Parameter(name="limit", where="query", type=Annotated[int, Meta(ge=1, le=1000)])
_TEXT = Annotated[str, Meta(min_length=1, max_length=128)]

ROUTES = (
    Route(
        method="GET",
        path="/api/audit",
        summary="What was called, by whom, who allowed it, and how it ended",
        handler=show,
        parameters=(
            _AFTER,
            _LIMIT,
            Parameter(name="session", where="query", type=_TEXT),
            Parameter(name="tool", where="query", type=_TEXT),
        ),
        responses={200: AuditPage},
        refusals=(503,),
    ),
    Route(
        method="GET",
        path="/api/audit/sealed",
        summary="The trail as it was sealed, to be checked or kept elsewhere",
        handler=show_sealed,
        parameters=(_AFTER, _LIMIT),
        responses={200: SealedPage},
        refusals=(503,),
    ),
)
