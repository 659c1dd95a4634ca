"""Notices that HTTP clients have left while they wait, and stops the work for them.

ASGI tells so only to somebody who waits on `receive`. Most calls are over before that is worth a task, so a client
is watched only once its call has lasted; one timer looks after all of them.
"""

import asyncio
from types import TracebackType

from starlette.types import Receive

from cetp_gateway.server.requests.errors import ClientGone

LOOK_S = 0.25
"""Between two looks at the calls that run; one that two looks have met is watched."""


class ClientWatches:
    """The calls of one event loop whose clients may leave."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._calls: set[ClientWatch] = set()
        self._timer: asyncio.TimerHandle | None = None

    def over(self, receive: Receive) -> "ClientWatch":
        """Watch the client of a request whose body has been read, for the length of a `with` block."""
        return ClientWatch(self, receive)

    def enter(self, call: "ClientWatch") -> None:
        self._calls.add(call)
        if self._timer is None:
            self._timer = self.loop.call_later(LOOK_S, self._look)

    def leave(self, call: "ClientWatch") -> None:
        self._calls.discard(call)

    def _look(self) -> None:
        for call in tuple(self._calls):
            if call.has_lasted:
                self._calls.discard(call)
                call.begin()
            call.has_lasted = True
        self._timer = self.loop.call_later(LOOK_S, self._look) if self._calls else None


class ClientWatch:
    """One call. Its block is to be run in the request's own task.

    Raises:
        ClientGone: at the block's end, when the client left and the work was cancelled for it.
    """

    __slots__ = ("_gone", "_receive", "_task", "_watcher", "_watches", "has_lasted")

    def __init__(self, watches: ClientWatches, receive: Receive) -> None:
        self._watches = watches
        self._receive = receive
        self._task = asyncio.current_task(watches.loop)
        self._watcher: asyncio.Task[None] | None = None
        self._gone = False
        self.has_lasted = False

    def __enter__(self) -> None:
        self._watches.enter(self)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._watches.leave(self)
        if self._watcher is not None:
            self._watcher.cancel()
        # A cancellation from elsewhere (the server stops) stays one.
        if self._gone and self._task is not None and self._task.uncancel() == 0:
            raise ClientGone("The client left before its request was answered.")

    def begin(self) -> None:
        """Wait for the client's end from now on."""
        self._watcher = self._watches.loop.create_task(self._wait())

    async def _wait(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._gone = True
        if self._task is not None:
            self._task.cancel()
