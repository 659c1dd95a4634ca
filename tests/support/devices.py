"""What tests of the devices room share: a listening handler, a peer in memory, and a real server with real clients."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import msgspec
import uvicorn
from starlette.types import Message, Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame

from cetp_gateway.api import CallContext
from cetp_gateway.devices import Answer, DeviceConnection, Event, Link, LinkEnd, socket_of
from cetp_gateway.devices.socket import SCOPE_KEY
from cetp_gateway.settings import Settings
from cetp_gateway.settings.limits import LimitSettings

WITHIN_S = 10.0
LIMITS = Settings().limits
E = TypeVar("E")


def limits(**changes: Any) -> LimitSettings:
    return msgspec.structs.replace(LIMITS, **changes)


def context(*, within_s: float = WITHIN_S, call_id: str = "call-1") -> CallContext:
    return CallContext(call_id=call_id, deadline=asyncio.get_running_loop().time() + within_s, caller="test")


def tool_entry(name: str, description: str = "a tool", **more: Any) -> dict[str, Any]:
    return {"name": name, "description": description, "parameters": {"type": "object"}, **more}


class Handler:
    """Keeps the events of a link."""

    def __init__(self) -> None:
        self.events: list[Event[Answer]] = []
        self._queue: asyncio.Queue[Event[Answer]] = asyncio.Queue()

    def on_event(self, event: Event[Answer]) -> None:
        self.events.append(event)
        self._queue.put_nowait(event)

    async def next(self, kind: type[E]) -> E:
        """The next event, which must be of this kind."""
        async with asyncio.timeout(WITHIN_S):
            event = await self._queue.get()
        assert isinstance(event, kind), event
        return event


class MemoryPeer:
    """The client's end of an ASGI pair."""

    def __init__(self) -> None:
        self.close_code = 0
        self._to_gateway: asyncio.Queue[Message] = asyncio.Queue()
        self._from_gateway: asyncio.Queue[str] = asyncio.Queue()
        self._reading = asyncio.Event()
        self._reading.set()
        self.answers_close = True

    async def receive(self) -> Message:
        return await self._to_gateway.get()

    async def send(self, message: Message) -> None:
        await self._reading.wait()
        if message["type"] == "websocket.send":
            self._from_gateway.put_nowait(message["text"])
            return
        self.close_code = message["code"]
        if self.answers_close:
            self.leave(message["code"])

    def stop_reading(self) -> None:
        self._reading.clear()

    def read_again(self) -> None:
        self._reading.set()

    def say(self, **frame: Any) -> None:
        self.say_text(msgspec.json.encode(frame).decode())

    def say_text(self, text: str) -> None:
        self._to_gateway.put_nowait({"type": "websocket.receive", "text": text})

    def say_bytes(self, data: bytes) -> None:
        self._to_gateway.put_nowait({"type": "websocket.receive", "bytes": data})

    def leave(self, code: int = 1005) -> None:
        self._to_gateway.put_nowait({"type": "websocket.disconnect", "code": code})

    async def hear(self, kind: str) -> dict[str, Any]:
        """The next frame, which must be of this type."""
        async with asyncio.timeout(WITHIN_S):
            frame: dict[str, Any] = msgspec.json.decode(await self._from_gateway.get())
        assert frame["type"] == kind, frame
        return frame

    def nothing_waits(self) -> bool:
        return self._from_gateway.empty()


class Linked:
    """A running link with its handler."""

    def __init__(self, link: Link, handler: Handler) -> None:
        self.link = link
        self.handler = handler
        self._running = asyncio.get_running_loop().create_task(link.run())

    async def ended(self) -> LinkEnd:
        async with asyncio.timeout(WITHIN_S):
            return await asyncio.shield(self._running)

    async def serve(self) -> None:
        """Stay until the link has ended, as the endpoint does."""
        try:
            await asyncio.wait((self._running,))
        finally:
            self._running.cancel()

    async def stop(self) -> None:
        self._running.cancel()
        await asyncio.wait((self._running,), timeout=WITHIN_S)


def make_link(
    peer: MemoryPeer,
    handler: Handler,
    bounds: LimitSettings = LIMITS,
    *,
    session_id: str = "kitchen",
    owner: str = "o1",
) -> Link:
    socket = socket_of({"type": "websocket"}, peer.receive, peer.send)
    return Link(socket, handler, bounds, host_id=f"socket/{session_id}", label="?", session_id=session_id, owner=owner)


@asynccontextmanager
async def memory_link(peer: MemoryPeer, bounds: LimitSettings = LIMITS, **who: str) -> AsyncIterator[Linked]:
    handler = Handler()
    linked = Linked(make_link(peer, handler, bounds, **who), handler)
    try:
        yield linked
    finally:
        await linked.stop()


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self.listening.set()


class DeviceServer:
    """A real uvicorn whose only route is a link. Its peers get little time to answer a close."""

    def __init__(self, bounds: LimitSettings, *, direct: bool) -> None:
        self.port = 0
        self.connections: set[DeviceConnection] = set()
        self.pongs = 0
        self.may_link = asyncio.Event()
        """Cleared: a client is let in, and its link made only later."""
        self.may_link.set()
        self._bounds = bounds
        self._direct = direct
        self._arrived: asyncio.Queue[Linked] = asyncio.Queue()
        self._changed = asyncio.Event()
        self._server: _Server | None = None

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await self.may_link.wait()
        if not self._direct:
            del scope["extensions"][SCOPE_KEY]
        handler = Handler()
        socket = socket_of(scope, receive, send)
        link = Link(socket, handler, self._bounds, host_id="socket/1", label="?", session_id="kitchen")
        linked = Linked(link, handler)
        self._arrived.put_nowait(linked)
        await linked.serve()

    def connection_class(self) -> type[DeviceConnection]:
        """What uvicorn is to use, watched by this server."""
        server = self

        class Watched(DeviceConnection):
            close_grace_s = 0.2

            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                super().connection_made(transport)
                server.connections.add(self)

            def connection_lost(self, exc: Exception | None) -> None:
                super().connection_lost(exc)
                server.connections.discard(self)
                server.changed()

            def handle_pong(self, event: Frame) -> None:
                super().handle_pong(event)
                server.pongs += 1
                server.changed()

        return Watched

    def runs_on(self, server: _Server) -> None:
        self._server = server
        self.port = server.servers[0].sockets[0].getsockname()[1]

    def shut_down(self) -> None:
        """What SIGTERM does."""
        assert self._server is not None
        self._server.should_exit = True

    def changed(self) -> None:
        self._changed.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for a loss or a pong that makes it true."""
        async with asyncio.timeout(WITHIN_S):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    async def arrived(self) -> Linked:
        """The link of the next client."""
        async with asyncio.timeout(WITHIN_S):
            return await self._arrived.get()

    async def connect(self, query: str = "", headers: dict[str, str] | None = None) -> ClientConnection:
        return await connect(
            f"ws://127.0.0.1:{self.port}/{query}",
            additional_headers=headers,
            ping_interval=None,
            compression=None,
            close_timeout=1,
            max_size=None,
            proxy=None,
        )

    @asynccontextmanager
    async def client(self) -> AsyncIterator[tuple[ClientConnection, Linked]]:
        """A client that pings nobody, and its link."""
        client = await self.connect()
        try:
            yield client, await self.arrived()
        finally:
            client.transport.abort()
            await client.wait_closed()


@asynccontextmanager
async def device_server(
    bounds: LimitSettings = LIMITS, *, direct: bool = True, ping_s: float | None = None
) -> AsyncIterator[DeviceServer]:
    devices = DeviceServer(bounds, direct=direct)
    config = uvicorn.Config(
        devices.app,
        interface="asgi3",
        port=0,
        ws=devices.connection_class(),
        ws_max_size=bounds.message_bytes,
        ws_ping_interval=ping_s,
        ws_ping_timeout=ping_s,
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=5,
    )
    server = _Server(config)
    serving = asyncio.create_task(server.serve())
    try:
        async with asyncio.timeout(WITHIN_S):
            await server.listening.wait()
        devices.runs_on(server)
        yield devices
    finally:
        server.should_exit = True
        await asyncio.wait_for(serving, WITHIN_S)


async def hear(client: ClientConnection, kind: str) -> dict[str, Any]:
    """The client's next frame, which must be of this type."""
    async with asyncio.timeout(WITHIN_S):
        frame: dict[str, Any] = msgspec.json.decode(await client.recv())
    assert frame["type"] == kind, frame
    return frame


async def say(client: ClientConnection, **frame: Any) -> None:
    await client.send(msgspec.json.encode(frame).decode())


async def closing(client: ClientConnection) -> tuple[int, str]:
    """Read on to the gateway's close frame; its code and reason."""
    async with asyncio.timeout(WITHIN_S):
        with suppress(ConnectionClosed):
            while True:
                await client.recv()
    return client.close_code or 0, client.close_reason or ""
