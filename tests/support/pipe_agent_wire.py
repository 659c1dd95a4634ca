"""The browser's tools under a real policy, over real pipes, with the host in the same process."""

import asyncio
import itertools
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import IO, Any

import msgspec

from cetp_gateway.agent import outcome_text, run_call
from cetp_gateway.api import CallContext, Outcome, ToolSpec
from cetp_gateway.pipe import AgentLink, Circuits, Command, Executor
from cetp_gateway.pipe.agent import Browser, BrowserHook, browser_tools, tool_name
from cetp_gateway.pipe.answers import response
from cetp_gateway.pipe.host_session import HostSession
from cetp_gateway.pipe.lines import LineFramer
from cetp_gateway.pipe.receiver import Refusal
from cetp_gateway.settings import Settings
from cetp_gateway.tools import ToolRegistry
from cetp_spec.pipe import actions
from support.agent_fakes import BOUND_S
from support.policed import Policed, policed

_numbers = itertools.count(1)
SEED = "5e" * 32


class Browsing:
    """Tools, what judges them, and the browser's own state."""

    def __init__(self, browser: Browser, settings: Settings, policed: Policed) -> None:
        self.browser = browser
        self.policed = policed
        self._tools = ToolRegistry(settings.tools, settings.limits)
        for tool in browser_tools(browser):
            self._tools.add(tool)

    def spec(self, action: str) -> ToolSpec:
        tool = self._tools.view().find(tool_name(action))
        assert tool is not None
        return tool.spec

    async def call(
        self, action: str, arguments: dict[str, Any] | None = None, *, session: str = "s", seconds: float = BOUND_S
    ) -> Outcome:
        context = CallContext(
            call_id=f"browser-{next(_numbers)}",
            deadline=asyncio.get_running_loop().time() + seconds,
            caller="agent",
            session_id=session,
        )
        view, hooks = self._tools.view(), self.policed.pipeline
        async with asyncio.timeout(2 * BOUND_S):
            return await run_call(tool_name(action), arguments or {}, tools=view, hooks=hooks, context=context)

    def start(self, action: str, arguments: dict[str, Any] | None = None, **how: Any) -> "asyncio.Task[Outcome]":
        return asyncio.create_task(self.call(action, arguments, **how))

    async def step(self, *calls: tuple[str, dict[str, Any]]) -> list[Outcome]:
        """Calls of one step: all begin at once."""
        return list(await asyncio.gather(*(self.call(action, arguments) for action, arguments in calls)))

    def told(self, action: str, outcome: Outcome) -> str:
        """What the model is given."""
        return outcome_text(outcome, self.spec(action).origin)[0]


@asynccontextmanager
async def browsing(
    folder: Path, executor: Executor, *, pipe: dict[str, Any] | None = None, **policy: Any
) -> AsyncIterator[Browsing]:
    settings = msgspec.convert({"pipe": pipe or {}}, Settings)
    (agent_in, host_out), (host_in, agent_out) = os.pipe(), os.pipe()
    with os.fdopen(host_out, "wb", buffering=0) as to_agent, os.fdopen(host_in, "rb", buffering=0) as from_agent:
        host = asyncio.create_task(_serve(executor, from_agent, to_agent))
        link = await AgentLink.open(os.fdopen(agent_in, "rb", buffering=0), os.fdopen(agent_out, "wb"), list(actions()))
        async with link:
            browser = Browser(link, settings.pipe)
            hook = BrowserHook(browser, {tool_name(action): action for action in actions()})
            async with policed(folder, hooks=[hook], **policy) as judged:
                yield Browsing(browser, settings, judged)
        # An executor of a test may hang; what else goes wrong here is the test's own fault.
        host.cancel()
        await asyncio.wait({host}, timeout=BOUND_S)
        assert host.cancelled() or host.exception() is None


async def _serve(executor: Executor, from_agent: IO[bytes], to_agent: IO[bytes]) -> None:
    session, lines = HostSession(SEED, offered=executor.supported, circuits=Circuits(), domains=None), LineFramer()
    to_agent.write(session.opening())
    while chunk := await asyncio.to_thread(os.read, from_agent.fileno(), 65536):
        for line in lines.feed(chunk):
            match session.receive(line, monotonic()):
                case Command() as command:
                    ended = await executor.execute(command)
                    session.record(command, ended, monotonic())
                    to_agent.write(response(command.seq, ended))
                case Refusal(seq, failure):
                    to_agent.write(response(seq, failure))
