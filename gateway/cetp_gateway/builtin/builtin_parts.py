"""What built-in tools need of the rest of the gateway.

Above: `all_tools`, `assemble`. Below: the protocols of the tools, api.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from cetp_gateway.api import Memory
from cetp_gateway.builtin.ask_user import AsksPerson
from cetp_gateway.builtin.commands import Commands
from cetp_gateway.builtin.devices import KnownDevices
from cetp_gateway.builtin.results import KeptResults
from cetp_gateway.builtin.schedules import ScheduleDesk
from cetp_gateway.builtin.sessions import PastSessions
from cetp_gateway.builtin.skills import KnownSkills
from cetp_gateway.builtin.todo.store import TodoStore

Said = Callable[[str], Awaitable[str]]
"""What a person has written in a session, given its id; empty when there is no such session."""


RestsOnWords = Callable[[str, str], Awaitable[bool]]
"""Whether a text rests on a person's own words in a session, given its id."""


async def nothing_said(session_id: str) -> str:  # noqa: ARG001
    """For a gateway without sessions."""
    return ""


async def on_nothing(text: str, session_id: str) -> bool:  # noqa: ARG001
    """Likewise."""
    return False


@dataclass(frozen=True, kw_only=True)
class BuiltinParts:
    """Injected dependencies. The tools of a part that is None are left out."""

    data_folder: Path
    """The gateway's own, which no tool may reach but for the workspace in it."""
    commands: Commands | None = None
    """The owner's list; when it is empty too, there is no tool that runs commands."""
    said: Said = nothing_said
    """What counts as the person's own words."""
    rests_on_words: RestsOnWords = on_nothing
    memory: Memory | None = None
    """None when nothing lasts beyond a session."""
    sessions: PastSessions | None = None
    devices: KnownDevices | None = None
    person: AsksPerson | None = None
    todos: TodoStore | None = None
    results: KeptResults | None = None
    schedules: ScheduleDesk | None = None
    skills: KnownSkills | None = None
