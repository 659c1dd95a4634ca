"""Calls of single tools, without a model or a registry."""

import asyncio
import json
from typing import Any

from cetp_gateway.api import Answered, CallContext, Outcome, Refused, Tool

BOUND_S = 10.0


async def call(tool: Tool, *, session_id: str = "s", seconds: float = BOUND_S, **arguments: Any) -> Outcome:
    """What comes of a call in a session."""
    context = CallContext(
        call_id="c", deadline=asyncio.get_running_loop().time() + seconds, caller="agent", session_id=session_id
    )
    async with asyncio.timeout(2 * BOUND_S):
        return await tool.execute(arguments, context)


async def text(tool: Tool, **arguments: Any) -> str:
    """The answer of a call, which must have one."""
    outcome = await call(tool, **arguments)
    assert isinstance(outcome, Answered), outcome
    return outcome.output


async def told(tool: Tool, **arguments: Any) -> Any:
    """The same, read as JSON."""
    return json.loads(await text(tool, **arguments))


async def refusal(tool: Tool, **arguments: Any) -> Refused:
    """The refusal of a call, which must be one."""
    outcome = await call(tool, **arguments)
    assert isinstance(outcome, Refused), outcome
    return outcome
