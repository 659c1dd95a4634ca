"""`cetp pipe agent` as a real process under a real host, whose browser has pages of paper."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from cetp_gateway.pipe import Command, Done, Ended, Failed, HostLink, HostOptions, PipeCode, SessionEnd
from cetp_spec.pipe import actions
from support.served import CETP, environment

LIMIT_S = 30.0
"""For a whole session of a test; the process has all of a gateway to load."""

SHOP = "https://shop.example/"


class PaperBrowser:
    """An Executor over texts: it keeps to the rules about domains, and to nothing else.

    Args:
        pages: text by address.
        leads: where clicks on a selector lead.
    """

    supported = frozenset(actions())

    def __init__(self, pages: Mapping[str, str] | None = None, leads: Mapping[str, str] | None = None) -> None:
        self.pages = {SHOP: "Everything for the house"} if pages is None else dict(pages)
        self.leads = dict(leads or {})
        self.url = "about:blank"
        self.commands: list[Command] = []
        self.before: Callable[[Command], object] = lambda _: None
        """Called with each command before it is carried out."""
        self.began = asyncio.Event()
        self.hangs_on = ""
        """An action that never ends."""

    @property
    def done(self) -> list[str]:
        return [command.action for command in self.commands]

    async def execute(self, command: Command) -> Ended:
        self.commands.append(command)
        self.began.set()
        self.before(command)
        if command.action == self.hangs_on:
            await asyncio.Event().wait()
        if command.action == "navigate":
            return self._navigate(command)
        if self._domain != command.expected_domain:
            return _elsewhere(self._domain, executed=False)
        return self._act(command)

    def _navigate(self, command: Command) -> Ended:
        self.url = command.params["url"]
        return Done({"url": self.url, "status": 200, "title": "A page"})

    def _act(self, command: Command) -> Ended:
        match command.action:
            case "getText":
                return Done({"text": self.pages[self.url], "truncated": False})
            case "getPage":
                return Done({"url": self.url, "title": "A page", "origin": self.url.rstrip("/")})
            case "click":
                return self._click(command)
            case _:
                return Done({})

    def _click(self, command: Command) -> Ended:
        selector = command.params["selector"]
        if selector == "#missing":
            return Failed(PipeCode.CMD_SELECTOR_INVALID, "There is no such element.")
        self.url = self.leads.get(selector, self.url)
        if self._domain != command.expected_domain:
            return _elsewhere(self._domain, executed=True)
        return Done({})

    @property
    def _domain(self) -> str:
        return urlsplit(self.url).netloc


def _elsewhere(domain: str, *, executed: bool) -> Failed:
    found = "left_for" if executed else "domain"
    return Failed(PipeCode.MAC_DOMAIN_MISMATCH, "The page is elsewhere.", {"executed": executed, found: domain})


def step(*calls: tuple[str, dict[str, Any]], text: str = "", find: dict[str, str] | None = None) -> dict[str, Any]:
    """A step of a script: calls by action, as `("getText", {})`."""
    named = [{"name": name_of(action), "arguments": arguments} for action, arguments in calls]
    return {"text": text, "find": find or {}, "calls": named}


def name_of(action: str) -> str:
    words = "".join(f"_{char.lower()}" if char.isupper() else char for char in action)
    return f"browser_{words}"


LOOK = step(("navigate", {"url": SHOP})), step(("getText", {}))


class AgentProcess:
    """A session under way, and what it leaves behind."""

    def __init__(self, folder: Path, link: HostLink, running: "asyncio.Task[SessionEnd]") -> None:
        self._folder = folder
        self.link = link
        self.running = running

    async def ended(self) -> SessionEnd:
        async with asyncio.timeout(LIMIT_S):
            return await self.running

    def tasks(self) -> list[dict[str, Any]]:
        """The report."""
        report: dict[str, list[dict[str, Any]]] = msgspec.json.decode((self._folder / "result.json").read_bytes())
        return report["tasks"]

    def frames(self, kind: str) -> list[dict[str, Any]]:
        """What has happened so far."""
        lines = (self._folder / "events.jsonl").read_bytes().splitlines()
        return [frame for frame in map(msgspec.json.decode, lines) if frame["type"] == kind]

    def outputs(self) -> list[str]:
        """What the tools' results were, in order."""
        return [frame["output"] for frame in self.frames("tool_result")]


@asynccontextmanager
async def agent_process(
    folder: Path,
    browser: PaperBrowser,
    steps: list[dict[str, Any]],
    *words: str,
    task: str = "Do it",
    options: HostOptions | None = None,
    **settings: str,
) -> AsyncIterator[AgentProcess]:
    """Start the agent with a script; at the end of the block host and agent are gone."""
    script = folder / "script.json"
    script.write_bytes(msgspec.json.encode(steps))
    files = ("--result", str(folder / "result.json"), "--events", str(folder / "events.jsonl"))
    command = (*CETP, "pipe", "agent", *(("--task", task) if task else ()), "--script", str(script), *files, *words)
    options = msgspec.structs.replace(options or HostOptions(), environment=environment(folder, **settings))
    link = HostLink(command, browser, options=options)
    running = asyncio.create_task(link.run())
    try:
        yield AgentProcess(folder, link, running)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def ran(
    folder: Path, browser: PaperBrowser, steps: list[dict[str, Any]], *words: str, **how: Any
) -> tuple[SessionEnd, AgentProcess]:
    """Start the agent and wait for its end."""
    async with agent_process(folder, browser, steps, *words, **how) as process:
        return await process.ended(), process
