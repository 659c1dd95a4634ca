"""Lets the long messages of all devices in one by one, in the order in which they came.

When a thousand phones come back after a restart, their registrations arrive within one round of the event loop.
Taken at once they would stop it for a second and fill the memory with what they unpack to. Above: `link`.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Protocol

LONG_CHARS = 8192
"""A longer message has to wait its turn; a shorter one is read in some microseconds."""


class Turnstile:
    """Shared by all links of a gateway."""

    __slots__ = ("_is_free", "_waiting")

    def __init__(self) -> None:
        self._is_free = True
        self._waiting: deque[Callable[[], None]] = deque()

    def enter(self, work: Callable[[], None]) -> None:
        """Do the work: now, when nobody was let in in this round of the event loop, else in a later one. It must not
        raise.
        """
        if not self._is_free:
            self._waiting.append(work)
            return
        self._is_free = False
        asyncio.get_running_loop().call_soon(self._next)
        work()

    def _next(self) -> None:
        if not self._waiting:
            self._is_free = True
            return
        asyncio.get_running_loop().call_soon(self._next)
        self._waiting.popleft()()


class Gate(Protocol):
    """What keeps a socket from reading on."""

    def hold(self) -> None: ...

    def let_go(self) -> None: ...


class Passage:
    """The way of one socket's messages: a long one waits its turn, and what comes behind it stays behind it."""

    __slots__ = ("_caught_up", "_gate", "_handle", "_late", "_turnstile")

    def __init__(self, turnstile: Turnstile, gate: Gate, handle: Callable[[str], None]) -> None:
        self._turnstile = turnstile
        self._gate = gate
        self._handle = handle
        self._late = 0
        self._caught_up: asyncio.Future[None] | None = None

    def take(self, text: str) -> None:
        """Handle the message, now or in its turn; the socket is held until then."""
        if not self._late and len(text) <= LONG_CHARS:
            self._handle(text)
            return
        self._late += 1
        self._turnstile.enter(partial(self._take_late, text))
        if self._late:
            self._gate.hold()

    async def caught_up(self) -> None:
        """Wait until every message that came in has had its turn."""
        if not self._late:
            return
        self._caught_up = asyncio.get_running_loop().create_future()
        try:
            await self._caught_up
        finally:
            self._caught_up = None

    def _take_late(self, text: str) -> None:
        self._late -= 1
        if not self._late:
            self._gate.let_go()
            if self._caught_up is not None and not self._caught_up.done():
                self._caught_up.set_result(None)
        self._handle(text)
