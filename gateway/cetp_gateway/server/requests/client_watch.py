"""Notices that HTTP clients have left while they wait, and stops the work for them.

ASGI tells so only to somebody who waits on `receive`. Most calls are over before that is worth a task, so a client
is watched only once its call has lasted; one timer looks after all of them.
"""

import asyncio
from typing import Any

from starlette.types import Receive

from cetp_gateway.server.requests.errors import ClientGone

LOOK_S = 0.25
"""Between two looks at the calls that run; one that two looks have met is watched."""


class ClientWatches:
    """The calls of one event loop whose clients may leave."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._new: dict[asyncio.Task[Any], Receive] = {}
        self._lasting: dict[asyncio.Task[Any], Receive] = {}
        """Met by one look."""
        self._watched: dict[asyncio.Task[Any], _Watch] = {}
        self._timer: asyncio.TimerHandle | None = None

    def enter(self, receive: Receive) -> "asyncio.Task[Any]":
        """Look after the client of the running task, whose body has been read, until `leave` of what this returns."""
        task = asyncio.current_task(self.loop)
        assert task is not None  # noqa: S101  (requests are tasks)
        self._new[task] = receive
        if self._timer is None:
            self._timer = self.loop.call_later(LOOK_S, self._look)
        return task

    def leave(self, task: "asyncio.Task[Any]") -> None:
        """The work is over, however it ended.

        Raises:
            ClientGone: the client left and the work was cancelled for it.
        """
        if self._new.pop(task, None) is None and self._lasting.pop(task, None) is None:
            self._watched.pop(task).end()

    def _look(self) -> None:
        for task, receive in self._lasting.items():
            self._watched[task] = _Watch(task, receive, self.loop)
        self._lasting, self._new = self._new, {}
        self._timer = self.loop.call_later(LOOK_S, self._look) if self._lasting else None


class _Watch:
    """One call whose client is waited for."""

    def __init__(self, task: "asyncio.Task[Any]", receive: Receive, loop: asyncio.AbstractEventLoop) -> None:
        self._task = task
        self._receive = receive
        self._gone = False
        self._waiting = loop.create_task(self._wait())

    def end(self) -> None:
        self._waiting.cancel()
        # A cancellation from elsewhere (the server stops) stays one.
        if self._gone and self._task.uncancel() == 0:
            raise ClientGone("The client left before its request was answered.")

    async def _wait(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._gone = True
        self._task.cancel()
