"""`GET /api/tools`: every tool with what became of it."""

import asyncio
from time import perf_counter

import msgspec

from cetp_gateway.api import ToolRow, ToolState
from cetp_gateway.server.requests.responses import Reply
from cetp_gateway.server.rest.routes import Asked, Parameter, Route

SLICE_S = 0.002
"""Longest stretch of listing before other requests get their turn: a thousand phones have fifty thousand tools."""


class ToolList(msgspec.Struct, frozen=True):
    """The tools, and the registry's revision, which every change raises by one."""

    tools: list[ToolRow]
    revision: int


async def show(asked: Asked[None]) -> Reply:
    """Those that can be called; with `quarantined`, those that are held back, each with its reason."""
    registry = asked.service.runtime.registry
    revision, wanted = registry.revision, asked.parameters.get("quarantined", False)
    encode = msgspec.json.Encoder().encode
    rows: list[bytes] = []
    started = perf_counter()
    for row in registry.iter_rows():
        if (row.state is ToolState.QUARANTINED) == wanted:
            rows.append(encode(row))
        if perf_counter() - started > SLICE_S:
            await asyncio.sleep(0)
            started = perf_counter()
    return Reply(200, b'{"tools":[%b],"revision":%d}' % (b",".join(rows), revision))


ROUTES = (
    Route(
        method="GET",
        path="/api/tools",
        summary="The tools that can be called, or those held in quarantine",
        handler=show,
        parameters=(
            Parameter(name="quarantined", where="query", type=bool, description="Show those held back instead"),
        ),
        responses={200: ToolList},
    ),
)
