"""A scripted gateway on a real socket, for authors of bridges and for the tests of the virtual phone.

It greets, takes registrations and confirms answers as a gateway does, or does not, as its switches say; what a
device sends is kept and held against the specification.

    async with FakeGateway() as gateway:
        …point the bridge at gateway.url…
        device = await gateway.device()
        await device.take("register_tools")
        answer = await device.call("notes__search_notes", {"query": "rent"})
        assert gateway.problems == []
"""

import asyncio
from collections.abc import Sequence
from http import HTTPStatus
from types import TracebackType
from typing import Any, Self

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from cetp_gateway.testing.device_socket import PATIENCE_S, DeviceSocket, Frame
from cetp_spec.schemas import validator

CAPABILITIES = (
    "cetp.registration",
    "cetp.unregister",
    "cetp.cancel",
    "cetp.deadline",
    "cetp.shared",
    "cetp.read_only",
    "cetp.notices",
)
"""Extensions that it grants unless told otherwise (spec 13.4)."""


class FakeGateway:
    """The gateway's side; every attribute that is no property may be changed while it runs.

    Args:
        token: the bearer token that devices must send; empty lets everybody in.
        capabilities: what it grants of what a device offers; none makes it an old gateway.
        message_bytes: the limit that it announces; 0 announces none.
        greets: answer `connect`.
        accepts: answer registrations.
        refuses: HTTP status for every upgrade; 0 lets the upgrade happen.
        closes_with: close code sent right after the upgrade; 0 keeps the socket open.
        checks: hold every frame against the specification; slow for thousands of tools.
    """

    def __init__(
        self,
        *,
        token: str = "",
        capabilities: Sequence[str] = CAPABILITIES,
        message_bytes: int = 4 * 1024 * 1024,
        greets: bool = True,
        accepts: bool = True,
        refuses: int = 0,
        closes_with: int = 0,
        checks: bool = True,
    ) -> None:
        self.token = token
        self.capabilities = capabilities
        self.message_bytes = message_bytes
        self.greets = greets
        self.accepts = accepts
        self.refuses = refuses
        self.closes_with = closes_with
        self.checks = checks
        self.problems: list[str] = []
        """What devices sent against the specification, one sentence each."""
        self.attempts = 0
        """Upgrades that were asked for."""
        self.open = 0
        """Sockets that are open now."""
        self.most_open = 0
        """Sockets that were open at one time."""
        self._devices: asyncio.Queue[DeviceSocket] = asyncio.Queue()
        self._server: Server | None = None
        self._port = 0

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        """Listen on loopback: on a free port, after `stop` on the same one again."""
        self._server = await serve(
            self._serve,
            "127.0.0.1",
            self._port,
            process_request=self._admit,
            compression=None,
            max_size=64 * 1024 * 1024,
            ping_interval=None,
            close_timeout=1,
        )
        self._port = next(iter(self._server.sockets)).getsockname()[1]

    async def stop(self, code: int = 1001) -> None:
        """Close every socket with `code` and listen no longer."""
        if self._server is not None:
            self._server.close(code=code, reason="")
            await self._server.wait_closed()
            self._server = None

    @property
    def url(self) -> str:
        """`http://127.0.0.1:PORT`."""
        return f"http://127.0.0.1:{self._port}"

    async def device(self, within_s: float = PATIENCE_S) -> DeviceSocket:
        """The next device that has connected."""
        async with asyncio.timeout(within_s):
            return await self._devices.get()

    def _admit(self, socket: ServerConnection, request: Request) -> Response | None:
        self.attempts += 1
        if self.refuses:
            return socket.respond(HTTPStatus(self.refuses), "no\n")
        if self.token and request.headers.get("Authorization") != f"Bearer {self.token}":
            return socket.respond(HTTPStatus.UNAUTHORIZED, "unknown token\n")
        return None

    async def _serve(self, socket: ServerConnection) -> None:
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            await self._talk(socket)
        except ConnectionClosed:
            return
        finally:
            self.open -= 1

    async def _talk(self, socket: ServerConnection) -> None:
        device = DeviceSocket(socket)
        self._devices.put_nowait(device)
        if self.closes_with:
            await socket.close(self.closes_with)
            return
        await device.send("session_start", v=1, session_id="fake-session", resumed=False, message_count=0)
        while True:
            frame = await device.read()
            if frame is None:
                self.problems.append(f"no JSON object: {device.unreadable[-1][:80]!r}")
            else:
                self._check(frame)
                await self._react(device, frame)

    def _check(self, frame: Frame) -> None:
        if self.checks:
            for error in validator("device-frame").iter_errors(frame):
                self.problems.append(f"{frame.get('type')} {error.json_path}: {error.message[:200]}")

    async def _react(self, device: DeviceSocket, frame: Frame) -> None:
        match frame.get("type"):
            case "connect" if self.greets:
                await device.send("connected", v=1, message="ok", **self._extras(frame))
            case "register_tools" if self.accepts:
                await device.send("tools_registered", **self._register(device, frame))
            case "tool_result" | "tool_error":
                await device.send("result_acknowledged", id=frame.get("id", ""))

    def _extras(self, connect: Frame) -> Frame:
        granted = [name for name in connect.get("capabilities", []) if name in self.capabilities]
        extras: Frame = {"capabilities": granted} if granted else {}
        if granted and self.message_bytes:
            extras["limits"] = {"message_bytes": self.message_bytes}
        return extras

    def _register(self, device: DeviceSocket, frame: Frame) -> dict[str, Any]:
        tools = {tool["name"]: tool for tool in frame.get("tools", []) if isinstance(tool, dict) and "name" in tool}
        if frame.get("replace"):
            device.tools.clear()
        device.tools.update(tools)
        answer: dict[str, Any] = {"count": len(frame.get("tools", [])), "registered": len(device.tools)}
        if "cetp.registration" in self.capabilities and any("provider" in tool for tool in tools.values()):
            answer["tools"] = [{"name": name, "public_name": name, "state": "accepted"} for name in tools]
        return answer
