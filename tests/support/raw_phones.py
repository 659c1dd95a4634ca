"""A phone in a test's own hands: a plain WebSocket client that says what the test wants, however wrong."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from support.whole import WITHIN_S, Frame, take, until

CAPABILITIES = (
    "cetp.registration",
    "cetp.unregister",
    "cetp.cancel",
    "cetp.deadline",
    "cetp.shared",
    "cetp.read_only",
)
NOTHING: dict[str, Any] = {"type": "object", "properties": {}}


class RawPhone:
    """A socket that has been greeted and has said which device it is."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def say(self, **frame: Any) -> None:
        await self.socket.send(msgspec.json.encode(frame).decode())

    async def offer(self, *tools: str | dict[str, Any]) -> Frame:
        """Register these tools in place of all others; the gateway's answer."""
        await self.say(type="register_tools", replace=True, tools=[entry(tool) for tool in tools])
        return (await until(self.socket, "tools_registered"))[-1]

    async def called(self) -> Frame:
        """The next call, with everything before it passed over."""
        return (await until(self.socket, "tool_call_request"))[-1]

    async def answer(self, request: Frame, output: Any) -> None:
        """Answer a call, and hear that the answer has come."""
        await self.say(type="tool_result", id=request["id"], success=True, output=output)
        await until(self.socket, "result_acknowledged")

    async def closing(self) -> tuple[int, str]:
        """Read on to the gateway's close; its code and reason."""
        async with asyncio.timeout(WITHIN_S):
            with suppress(ConnectionClosed):
                while True:
                    await self.socket.recv()
        return self.socket.close_code or 0, self.socket.close_reason or ""


def entry(tool: str | dict[str, Any]) -> dict[str, Any]:
    """A tool's entry in `register_tools`; a name alone makes a plain one."""
    return {"name": tool, "description": "Says it.", "parameters": NOTHING} if isinstance(tool, str) else tool


@asynccontextmanager
async def raw_phone(
    port: int,
    *tools: str | dict[str, Any],
    device_id: str = "phone-1",
    capabilities: Iterable[str] = CAPABILITIES,
    **how: Any,
) -> AsyncIterator[RawPhone]:
    """Connect, introduce the device, register its tools; cut off at the end. `how` goes to `websockets`."""
    how = {"compression": None, "proxy": None, "ping_interval": None, "max_size": None, "close_timeout": 1} | how
    socket = await connect(f"ws://127.0.0.1:{port}/ws/chat", **how)
    try:
        assert (await take(socket))["type"] == "session_start"
        phone = RawPhone(socket)
        await phone.say(
            type="connect", device_id=device_id, device_name=device_id, capabilities=list(capabilities), v=1
        )
        await until(socket, "connected")
        if tools:
            await phone.offer(*tools)
        yield phone
    finally:
        socket.transport.abort()
        await socket.wait_closed()
