"""One device's socket as the scripted gateway holds it: read its frames, send it any, call its tools.

Every wait has a bound. Above: `fake_gateway`.
"""

import asyncio
import json
from itertools import count
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

Frame = dict[str, Any]

PATIENCE_S = 5.0
"""How long one waits for a device unless told otherwise."""


class DeviceSocket:
    """The gateway's end of one connection."""

    def __init__(self, socket: ServerConnection) -> None:
        self.frames: list[Frame] = []
        """Everything that came, in order."""
        self.tools: dict[str, Frame] = {}
        """The tools that the device has registered, by wire name."""
        self.unreadable: list[str | bytes] = []
        """Messages that were no JSON objects. (One that is not UTF-8 ends the connection with 1007.)"""
        self._socket = socket
        self._untaken: list[Frame] = []
        self._came = asyncio.Condition()
        self._ids = count(1)

    @property
    def token(self) -> str:
        """The bearer token of the upgrade; empty when there was none."""
        return self._header("Authorization").removeprefix("Bearer ")

    @property
    def path(self) -> str:
        """Path and query of the upgrade."""
        return self._socket.request.path if self._socket.request else ""

    def _header(self, name: str) -> str:
        return self._socket.request.headers.get(name, "") if self._socket.request else ""

    async def send(self, kind: str, **fields: Any) -> None:
        """Send one frame."""
        await self.send_text(json.dumps({"type": kind, **fields}))

    async def send_text(self, text: str | bytes) -> None:
        """Send any text; bytes go out as a text message too, whatever they are."""
        await self._socket.send(text, text=True)

    async def take(self, kind: str, within_s: float = PATIENCE_S) -> Frame:
        """The oldest frame of this type that was not taken yet; TimeoutError names what came instead."""
        try:
            async with asyncio.timeout(within_s), self._came:
                while True:
                    for index, frame in enumerate(self._untaken):
                        if frame.get("type") == kind:
                            return self._untaken.pop(index)
                    await self._came.wait()
        except TimeoutError:
            others = [frame.get("type") for frame in self._untaken]
            raise TimeoutError(f"no {kind} within {within_s:g} s; there came {others}") from None

    async def request(self, name: str, args: Any, **more: Any) -> str:
        """Ask for a call and return its id without waiting for the answer."""
        call_id = f"call-{next(self._ids)}"
        await self.send("tool_call_request", id=call_id, name=name, args=args, **more)
        return call_id

    async def answer(self, call_id: str, within_s: float = PATIENCE_S) -> Frame:
        """The `tool_result` or `tool_error` under this id."""
        async with asyncio.timeout(within_s), self._came:
            while True:
                for index, frame in enumerate(self._untaken):
                    if frame.get("id") == call_id and frame.get("type") in ("tool_result", "tool_error"):
                        return self._untaken.pop(index)
                await self._came.wait()

    async def call(self, name: str, args: Any, **more: Any) -> Frame:
        """Ask for a call and wait for its answer."""
        return await self.answer(await self.request(name, args, **more))

    async def ping(self, within_s: float) -> bool:
        """Whether the device answers a ping in time."""
        try:
            async with asyncio.timeout(within_s):
                await (await self._socket.ping())
        except (TimeoutError, ConnectionClosed):
            return False
        return True

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close with a code."""
        await self._socket.close(code, reason)

    def drop(self) -> None:
        """Cut the connection without a close frame."""
        self._socket.transport.abort()

    def deafen(self) -> None:
        """Take nothing more from the network and answer nothing, as if it had swallowed everything."""
        self._socket.transport.pause_reading()

    async def ended(self, within_s: float = PATIENCE_S) -> int:
        """Wait for the end of the connection; the device's close code, 1006 when it sent none."""
        async with asyncio.timeout(within_s):
            await self._socket.wait_closed()
        return self._socket.close_code or 1006

    async def read(self) -> Any:
        """The next message, decoded and recorded: the gateway's loop calls this. None when it was no JSON object.

        Raises:
            ConnectionClosed: there is no next message.
        """
        message = await self._socket.recv()
        try:
            frame = json.loads(message)
        except (ValueError, RecursionError):
            frame = None
        if not isinstance(frame, dict):
            self.unreadable.append(message)
            return None
        async with self._came:
            self.frames.append(frame)
            self._untaken.append(frame)
            self._came.notify_all()
        return frame
