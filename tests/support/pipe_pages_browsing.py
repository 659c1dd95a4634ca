"""A real Chromium before the test pages, and commands in few words."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from cetp_gateway.pipe import Command, Done, Ended, Executor, Failed
from cetp_gateway.pipe.browser import BrowserSettings, open_browser
from support.pipe_chromium import require_chromium
from support.pipe_pages import NAMES, serving_pages


class Browsing:
    """Numbers commands and fills in the domain that most of them expect."""

    def __init__(self, executor: Executor, port: int) -> None:
        self.executor = executor
        self.port = port
        self.domain = f"a.localhost:{port}"
        self.seq = 0

    def url(self, path: str, host: str = "a.localhost") -> str:
        return f"http://{host}:{self.port}/{path}"

    async def run(self, action: str, *, on: str = "", **params: Any) -> Ended:
        """Execute an action, expecting the domain a.localhost or another one."""
        self.seq += 1
        domain = on or self.domain
        return await self.executor.execute(Command(seq=self.seq, action=action, params=params, expected_domain=domain))

    async def do(self, action: str, *, on: str = "", **params: Any) -> dict[str, Any]:
        """The result of an action that must succeed."""
        ended = await self.run(action, on=on, **params)
        assert isinstance(ended, Done), (action, params, ended)
        return ended.result

    async def fail(self, action: str, *, on: str = "", **params: Any) -> Failed:
        """The failure of an action that must not succeed."""
        ended = await self.run(action, on=on, **params)
        assert isinstance(ended, Failed), (action, params, ended)
        return ended

    async def visit(self, page: str) -> None:
        """Go to one of the pages, leaving whatever is there."""
        await self.do("navigate", url=self.url(page))

    async def text(self, selector: str, *frame: str) -> str:
        """What an element says."""
        result = await self.do("getText", selector=selector, frame=list(frame))
        return str(result["text"])


@asynccontextmanager
async def browsing(files: Path | None = None) -> AsyncIterator[Browsing]:
    """Pages being served and a browser that has opened none of them."""
    settings = BrowserSettings(executable=str(require_chromium()), files=files, arguments=NAMES)
    async with serving_pages() as port, open_browser(settings) as executor:
        yield Browsing(executor, port)
