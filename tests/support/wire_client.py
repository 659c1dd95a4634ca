"""A client of `/ws/chat` in a test's own hands. It holds every frame that comes against the published schema."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from cetp_gateway.server.serve import Gateway
from cetp_spec.schemas import validator
from support.whole import WITHIN_S, Frame

OTHERS_OWN = frozenset({"args", "parameters"})
"""Fields whose content is a model's or an app's; a null in them is theirs."""
HOW: dict[str, Any] = {
    "compression": None,
    "proxy": None,
    "ping_interval": None,
    "max_size": None,
    "close_timeout": 1,
    "open_timeout": WITHIN_S,
}


class WireClient:
    """An open socket. Every wait is bounded; a frame that does not fit its schema fails the test."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.greeting: Frame = {}
        """The `session_start` that came first."""

    @property
    def session_id(self) -> str:
        return str(self.greeting["session_id"])

    async def say(self, kind: str, **fields: Any) -> None:
        """Send a frame."""
        await self.socket.send(json.dumps({"type": kind, **fields}))

    async def next(self) -> Frame:
        """The next frame, whatever it is."""
        async with asyncio.timeout(WITHIN_S):
            return checked(await self.socket.recv())

    async def hear(self, kind: str) -> Frame:
        """The next frame, which must be of this type; a session's title may come at any time (spec 14.3)."""
        frame = await self.next()
        while frame["type"] == "title_updated" != kind:
            frame = await self.next()
        assert frame["type"] == kind, frame
        return frame

    async def until(self, kind: str) -> list[Frame]:
        """All frames up to the first one of this type, that one included."""
        frames = [await self.next()]
        while frames[-1]["type"] != kind:
            frames.append(await self.next())
        return frames

    async def introduce(self, *capabilities: str, device_id: str = "phone-1", device_name: str = "pixel") -> Frame:
        """Say which device this is and what it can do; the gateway's answer."""
        who = {"device_id": device_id, "device_name": device_name, "capabilities": list(capabilities)}
        await self.say("connect", v=1, **who)
        return await self.hear("connected")

    async def register(self, *tools: str | dict[str, Any], **more: Any) -> Frame:
        """Register tools, by name or as whole entries; the gateway's answer."""
        await self.say("register_tools", tools=[tool_entry(tool) for tool in tools], **more)
        return await self.hear("tools_registered")

    async def ask(self, content: str = "hello", **more: Any) -> list[Frame]:
        """Send a message; all frames up to `done`."""
        await self.say("message", content=content, **more)
        return await self.until("done")

    async def answer(self, request: Frame, output: Any = "ok") -> None:
        """Answer a `tool_call_request` and hear that the answer has come."""
        await self.say("tool_result", id=request["id"], output=output, success=True)
        assert (await self.hear("result_acknowledged"))["id"] == request["id"]

    async def nothing_waits(self) -> None:
        """Fail when a frame is under way that has not been read: the answer to a question comes behind it."""
        await self.say("get_registered_tools")
        await self.hear("registered_tools")

    async def held(self) -> dict[str, Frame]:
        """This socket's tools as the gateway lists them, by wire name."""
        await self.say("get_registered_tools")
        return {tool["name"]: tool for tool in (await self.hear("registered_tools"))["tools"]}

    async def closing(self) -> tuple[int, str]:
        """Wait for the gateway's close, which must be the next thing that comes; its code and reason."""
        try:
            frame = await self.next()
        except ConnectionClosed:
            return self.socket.close_code or 0, self.socket.close_reason or ""
        raise AssertionError(f"a frame came instead of a close: {frame}")

    def drop(self) -> None:
        """Cut the connection without a word."""
        self.socket.transport.abort()


@asynccontextmanager
async def wire(running: Gateway, query: str = "", *, token: str = "", **how: Any) -> AsyncIterator[WireClient]:
    """Open `/ws/chat`, hear the greeting; cut off at the end. `how` goes to `websockets`."""
    if token:
        how["additional_headers"] = {"Authorization": f"Bearer {token}"}
    socket = await connect(f"ws://127.0.0.1:{running.port}/ws/chat{query}", **{**HOW, **how})
    try:
        client = WireClient(socket)
        client.greeting = await client.hear("session_start")
        yield client
    finally:
        socket.transport.abort()
        await socket.wait_closed()


def tool_entry(tool: str | dict[str, Any]) -> dict[str, Any]:
    """An entry of `register_tools`; a name alone makes a plain one."""
    if isinstance(tool, dict):
        return tool
    return {"name": tool, "description": "Says it.", "parameters": {"type": "object", "properties": {}}}


def checked(message: str | bytes) -> Frame:
    """The frame in a message, when it is one that existing clients can take."""
    assert isinstance(message, str), "the gateway sends text only"
    frame = json.loads(message)
    error = next(validator("gateway-frame").iter_errors(frame), None)
    assert error is None, f"{error.json_path}: {error.message} in {message[:500]}"
    assert not holds_null(frame), message[:500]
    assert isinstance(frame, dict)
    return frame


def holds_null(value: Any) -> bool:
    """Is there a null outside what others wrote?"""
    if isinstance(value, dict):
        return any(holds_null(part) for key, part in value.items() if key not in OTHERS_OWN)
    if isinstance(value, list):
        return any(map(holds_null, value))
    return value is None


def kinds(frames: list[Frame]) -> list[str]:
    """The types of frames, in order."""
    return [frame["type"] for frame in frames]
