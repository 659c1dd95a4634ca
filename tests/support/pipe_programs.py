"""The programs that pipe tests start, and a browser for hosts in them."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from cetp_gateway.pipe import Command, Done, Ended, HostLink, HostOptions, SessionEnd
from cetp_spec.pipe import actions

_FOLDER = Path(__file__).parent

PAGE = {"url": "https://example.org/", "title": "Example", "origin": "https://example.org"}


def odd_agent(case: str, *arguments: str) -> list[str]:
    """An agent of `pipe_odd_agent`."""
    return [sys.executable, str(_FOLDER / "pipe_odd_agent.py"), case, *arguments]


def agent_program(*arguments: str) -> list[str]:
    """An agent with a link of ours, `pipe_agent_program`."""
    return [sys.executable, str(_FOLDER / "pipe_agent_program.py"), *arguments]


def host_program(*agent: str) -> list[str]:
    """A host with a link of ours, `pipe_host_program`, and its agent."""
    return [sys.executable, str(_FOLDER / "pipe_host_program.py"), *agent]


class Browser:
    """Answers every command; keeps what it was asked. `act` decides what becomes of one."""

    def __init__(self, act: Callable[[Command], Awaitable[Ended]] | None = None) -> None:
        self.supported = frozenset(actions())
        self.commands: list[Command] = []
        self._act = act

    async def execute(self, command: Command) -> Ended:
        self.commands.append(command)
        if self._act is not None:
            return await self._act(command)
        return Done(PAGE if command.action == "getPage" else {})


async def serve(
    agent: list[str], browser: Browser | None = None, options: HostOptions | None = None, *, within_s: float = 30
) -> SessionEnd:
    """Run one session to its end."""
    async with asyncio.timeout(within_s):
        return await HostLink(agent, browser or Browser(), options=options or HostOptions()).run()
