"""What built-in tools need of the rest of the gateway.

Above: `all_tools`, `assemble`. Below: api.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

Said = Callable[[str], Awaitable[str]]
"""What a person has written in a session, given its id; empty when there is no such session."""


async def nothing_said(session_id: str) -> str:  # noqa: ARG001
    """For a gateway without sessions."""
    return ""


@dataclass(frozen=True, kw_only=True)
class BuiltinParts:
    """Injected dependencies. The tools of a part that is None are left out."""

    data_folder: Path
    """The gateway's own, which no tool may reach but for the workspace in it."""
    said: Said = nothing_said
    """What counts as the person's own words."""
