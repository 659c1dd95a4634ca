"""Notices that an HTTP client has left while it waits, and stops the work for it.

ASGI tells so only to somebody who waits on `receive`. Most calls are over before it is worth a task of its own,
so the waiting begins after a moment.
"""

import asyncio
from types import TracebackType

from starlette.types import Receive

from cetp_gateway.server.errors import ClientGone

GRACE_S = 0.25
"""Work that ends sooner is not watched."""


class ClientWatch:
    """A block of work for a client. To be used as a context manager in the request's own task, with the body read.

    Raises:
        ClientGone: at the block's end, when the client left and the work was cancelled for it.
    """

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._watcher: asyncio.Task[None] | None = None
        self._gone = False

    def __enter__(self) -> "ClientWatch":
        self._task = asyncio.current_task()
        self._timer = asyncio.get_running_loop().call_later(GRACE_S, self._begin)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._timer.cancel()
        if self._watcher is not None:
            self._watcher.cancel()
        # A cancellation from elsewhere (the server stops) stays one.
        if self._gone and self._task is not None and self._task.uncancel() == 0:
            raise ClientGone("The client left before its request was answered.")

    def _begin(self) -> None:
        self._watcher = asyncio.get_running_loop().create_task(self._wait())

    async def _wait(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._gone = True
        if self._task is not None:
            self._task.cancel()
