"""`GET /api/tools`: every tool with what became of it."""

import asyncio

import msgspec

from cetp_gateway.api import ToolRow, ToolState
from cetp_gateway.server.routes import Asked, Parameter, Route

_SLICE = 200
"""Rows made before other work gets its turn: a thousand phones have 50,000."""


class ToolList(msgspec.Struct, frozen=True):
    """The tools, and the registry's revision, which every change raises by one."""

    tools: list[ToolRow]
    revision: int


async def show(asked: Asked[None]) -> ToolList:
    """Those that can be called; with `quarantined`, those that are held back, each with its reason."""
    registry = asked.service.runtime.registry
    wanted = asked.parameters.get("quarantined", False)
    rows = []
    for number, row in enumerate(registry.iter_rows(), start=1):
        if (row.state is ToolState.QUARANTINED) == wanted:
            rows.append(row)
        if number % _SLICE == 0:
            await asyncio.sleep(0)
    return ToolList(rows, registry.revision)


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
