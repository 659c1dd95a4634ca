"""An HTTP server in this process that plays a model vendor from a script. Nothing here knows our code.

async with FakeVendor() as vendor:
    vendor.will(stream(*openai_text("Hello")), status(429, {"error": {"message": "slow down"}}))
    …
    vendor.requests[0].body["messages"]
"""

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
import uvicorn

WAIT_S = 10.0


class Hold:
    """A place in an answer where the server waits for the test, or for the client to go away."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.released = asyncio.Event()


class Drop:
    """A place in an answer where the connection is cut."""


Piece = bytes | Hold | Drop


class Reply(msgspec.Struct):
    """One answer: status, headers, and the pieces of its body."""

    pieces: Sequence[Piece]
    status: int = 200
    headers: dict[str, str] = {}


class Asked(msgspec.Struct):
    """One request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


def stream(*events: str, every: int = 0, end: Piece | None = None, content_type: str = "text/event-stream") -> Reply:
    """A stream of server-sent events, in pieces of `every` bytes when that is given."""
    return Reply([*pieces("".join(events), every), *([end] if end else [])], headers={"content-type": content_type})


def pieces(text: str, every: int = 0) -> list[bytes]:
    data = text.encode("utf-8", "surrogatepass")
    return [data[at : at + every] for at in range(0, len(data), every)] if every else [data]


def answer(body: Any, code: int = 200, **headers: str) -> Reply:
    """A whole JSON answer."""
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    return Reply([json.dumps(body).encode()], code, {"content-type": "application/json", **named})


def page(text: str, code: int = 200) -> Reply:
    """A web page, as proxies send it."""
    return Reply([text.encode()], code, {"content-type": "text/html"})


def data(value: Any) -> str:
    """One event of the chat completions API."""
    return f"data: {value if isinstance(value, str) else json.dumps(value)}\n\n"


def event(value: dict[str, Any]) -> str:
    """One event of the Messages API."""
    return f"event: {value['type']}\ndata: {json.dumps(value)}\n\n"


class FakeVendor:
    """The server. Replies are used up in order; one request too many is answered with 418."""

    def __init__(self) -> None:
        self.requests: list[Asked] = []
        self.gone = asyncio.Event()
        """A client went away before its answer was complete."""
        self.otherwise: dict[str, Reply] = {}
        """Answers by method that are not used up and need no place in the order."""
        self._waiting: list[Reply] = []
        self._server = _QuietServer(
            uvicorn.Config(
                self._app, port=0, interface="asgi3", log_config=None, lifespan="off", timeout_graceful_shutdown=1
            )
        )
        self._task: asyncio.Task[None] | None = None

    def will(self, *replies: Reply) -> None:
        """Add answers."""
        self._waiting += replies

    @property
    def url(self) -> str:
        port = self._server.servers[0].sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    async def __aenter__(self) -> "FakeVendor":
        self._task = asyncio.create_task(self._server.serve())
        async with asyncio.timeout(WAIT_S):
            await self._server.up.wait()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.leave.set()
        if self._task is not None:
            async with asyncio.timeout(WAIT_S):
                await self._task

    def _next(self) -> Reply:
        return self._waiting.pop(0) if self._waiting else answer({"error": {"message": "no reply left"}}, 418)

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        body = await _read(receive)
        headers = {name.decode().lower(): value.decode() for name, value in scope["headers"]}
        self.requests.append(Asked(scope["method"], scope["path"], headers, json.loads(body) if body else None))
        reply = self.otherwise.get(scope["method"]) or self._next()
        wire_headers = [(name.encode(), value.encode()) for name, value in reply.headers.items()]
        await send({"type": "http.response.start", "status": reply.status, "headers": wire_headers})
        for piece in reply.pieces:
            if isinstance(piece, Drop):
                raise ConnectionResetError("as the script says")
            if isinstance(piece, Hold):
                if await self._hold(piece, receive):
                    return
                continue
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _hold(self, hold: Hold, receive: Any) -> bool:
        """Wait here; True when the client has gone away."""
        hold.reached.set()
        leaving = asyncio.create_task(_disconnected(receive))
        release = asyncio.create_task(hold.released.wait())
        await asyncio.wait({leaving, release}, return_when=asyncio.FIRST_COMPLETED, timeout=WAIT_S)
        left = leaving.done()
        for task in (leaving, release):
            task.cancel()
        if left:
            self.gone.set()
        return left


class _QuietServer(uvicorn.Server):
    """Leaves signals to pytest, says when it listens, and stops at once when told."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = asyncio.Event()
        self.leave = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self.up.set()

    async def main_loop(self) -> None:
        await self.leave.wait()
        self.force_exit = True


async def _read(receive: Any) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            return bytes(body)


async def _disconnected(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue
