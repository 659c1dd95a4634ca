"""How far a phone has come, for those who wait for it."""

import asyncio
from collections.abc import Callable


class Progress:
    """What is true of the phone now; `until` waits, bounded, for something to become true."""

    def __init__(self) -> None:
        self.connected = False
        """The gateway has greeted the open connection."""
        self.registered_revision: int | None = None
        """The catalog's revision that the gateway has accepted on the open connection."""
        self.ended = False
        self.failure: Exception | None = None
        """Why the phone stopped; None while it runs or when it ended as it should."""
        self._waiting: set[asyncio.Future[None]] = set()

    def set_connected(self) -> None:
        """A greeting came."""
        self.connected = True
        self._wake()

    def set_registered(self, revision: int) -> None:
        """A registration was accepted."""
        self.registered_revision = revision
        self._wake()

    def set_disconnected(self) -> None:
        """The connection ended."""
        self.connected = False
        self.registered_revision = None
        self._wake()

    def set_ended(self, failure: Exception | None) -> None:
        """The phone is at its end."""
        self.ended = True
        self.failure = failure
        self._wake()

    async def until(self, reached: Callable[[], bool], within_s: float, what: str) -> None:
        """Wait until `reached()`.

        Raises:
            TimeoutError: it did not come within `within_s` seconds; the text says `what`.
            GatewayRefused, GatewayUnreachable: the phone has stopped before.
        """
        try:
            async with asyncio.timeout(within_s):
                while not reached():
                    self._refuse_when_ended(what)
                    await self._next_change()
        except TimeoutError:
            raise TimeoutError(f"the phone is not {what} after {within_s:g} s") from None

    def _refuse_when_ended(self, what: str) -> None:
        if self.failure is not None:
            raise self.failure
        if self.ended:
            raise RuntimeError(f"the phone has stopped and will not be {what}")

    async def _next_change(self) -> None:
        change = asyncio.get_running_loop().create_future()
        self._waiting.add(change)
        try:
            await change
        finally:
            self._waiting.discard(change)

    def _wake(self) -> None:
        for change in self._waiting:
            if not change.done():
                change.set_result(None)
