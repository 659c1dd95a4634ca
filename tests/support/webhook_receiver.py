"""Somebody's server that is sent webhooks: answers with the statuses it was given, and keeps what it got."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

WITHIN_S = 10.0


class Got(msgspec.Struct, frozen=True):
    """One request."""

    headers: dict[str, str]
    body: bytes


class Receiver:
    """`got` grows; `url` is where to send."""

    def __init__(self, statuses: Iterable[int]) -> None:
        self._statuses = list(statuses)
        self.got: list[Got] = []
        self.url = ""
        self._arrived = asyncio.Condition()

    async def take(self, request: Request) -> Response:
        self.got.append(Got(dict(request.headers), await request.body()))
        async with self._arrived:
            self._arrived.notify_all()
        status = self._statuses.pop(0) if self._statuses else 204
        return Response(status_code=status, headers={"location": self.url} if status == 302 else None)

    async def arrived(self, count: int = 1) -> None:
        """Return once so many have come."""
        async with asyncio.timeout(WITHIN_S), self._arrived:
            await self._arrived.wait_for(lambda: len(self.got) >= count)


@asynccontextmanager
async def receiver(*statuses: int) -> AsyncIterator[Receiver]:
    """Listen on a free port."""
    takes = Receiver(statuses)
    app = Starlette(routes=[Route("/hook", takes.take, methods=["POST"])])
    config = uvicorn.Config(app, port=0, log_config=None, lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    listening = config.bind_socket()
    takes.url = f"http://127.0.0.1:{listening.getsockname()[1]}/hook"
    serving = asyncio.create_task(server._serve([listening]))  # noqa: SLF001  (serve() takes over the signals)
    try:
        yield takes
    finally:
        server.should_exit = True
        async with asyncio.timeout(WITHIN_S):
            await serving
        listening.close()
