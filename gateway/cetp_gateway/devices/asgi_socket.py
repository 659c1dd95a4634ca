"""A `Socket` over the plain `receive` and `send` of any ASGI server.

Correct everywhere, but a frame costs a task, and a peer that does not read can only be left to the server to cut.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from starlette.types import Message, Receive, Send

CLOSE_GRACE_S = 3.0
"""Time for a peer to answer a close; then the connection is cut."""

log = logging.getLogger(__name__)


class AsgiSocket:
    """See `Socket`. A task exists only while a frame is being sent."""

    held_back = b""

    def __init__(self, receive: Receive, send: Send, *, close_grace_s: float = CLOSE_GRACE_S) -> None:
        self.take_text: Callable[[str], None] | None = None
        self.drained: Callable[[], None] | None = None
        self.heard_at = 0.0
        self._receive = receive
        self._send = send
        self._close_grace_s = close_grace_s
        self._sending: asyncio.Task[None] | None = None
        self._patience: asyncio.Timeout | None = None
        self._closed: dict[str, Any] | None = None

    async def receive(self) -> Message:
        try:
            async with asyncio.timeout(None if self._closed is None else self._close_grace_s) as self._patience:
                return await self._receive()
        except TimeoutError:
            return {"type": "websocket.disconnect", **(self._closed or {})}
        finally:
            self._patience = None

    def write_text(self, text: str) -> bool:
        if self._closed is not None:
            return True
        if self._sending is not None:
            return False
        self._sending = asyncio.create_task(self._send_one({"type": "websocket.send", "text": text}))
        return True

    def write_later(self, text: str) -> bool:  # noqa: ARG002  (ASGI has no way to send two frames at once)
        return False

    def flush(self) -> None:
        """Nothing is held back here."""

    def hold(self) -> None:
        """Nothing is read here that `receive` was not asked for."""

    def let_go(self) -> None:
        """See `hold`."""

    def close_with(self, code: int, reason: str) -> None:
        if self._closed is not None:
            return
        self._closed = {"code": code, "reason": reason}
        self._sending = asyncio.create_task(self._say_goodbye(self._sending))
        if self._patience is not None:
            self._patience.reschedule(asyncio.get_running_loop().time() + self._close_grace_s)

    def release(self) -> None:
        self.take_text = self.drained = None
        if self._sending is not None:
            self._sending.cancel()

    async def _send_one(self, message: Message) -> None:
        try:
            await self._send(message)
        except OSError:
            # ASGI's way to say that the peer has gone; `receive` says the same.
            return
        except Exception:
            log.exception("the server could not send a frame")
            return
        self._sending = None
        if self.drained is not None:
            self.drained()

    async def _say_goodbye(self, before: asyncio.Task[None] | None) -> None:
        try:
            async with asyncio.timeout(self._close_grace_s):
                if before is not None:
                    await asyncio.wait((before,))
                await self._send_one({"type": "websocket.close", **(self._closed or {})})
        except TimeoutError:
            log.debug("a peer did not take its close frame")
        finally:
            if before is not None:
                before.cancel()
