"""Servers to compare with: `websockets` (yardstick E), `uvicorn` with a raw application (yardstick S), `starlette`."""

import asyncio
import socket
import sys
from typing import Any

from .said import say

Message = dict[str, Any]


def listening() -> socket.socket:
    # IPPROTO_TCP has to be named: asyncio sets TCP_NODELAY only then.
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.bind(("127.0.0.1", 0))
    sock.listen(2048)
    sock.setblocking(False)
    return sock


async def websockets_echo() -> None:
    from websockets.asyncio.server import ServerConnection, serve  # noqa: PLC0415

    async def echo(connection: ServerConnection) -> None:
        async for message in connection:
            await connection.send(message)

    sock = listening()
    async with serve(echo, sock=sock, compression=None, ping_interval=None):
        say("READY", port=sock.getsockname()[1])
        await asyncio.Event().wait()


async def raw_application(scope: Any, receive: Any, send: Any) -> None:
    """One HTTP answer of a few bytes; WebSocket texts come back."""
    if scope["type"] == "http":
        headers = [(b"content-type", b"application/json"), (b"content-length", b"11")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b'{"ok":true}'})
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (event := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": event["text"]})


def starlette_application() -> Any:
    """The smallest application with one route and one socket."""
    from starlette.applications import Starlette  # noqa: PLC0415
    from starlette.requests import Request  # noqa: PLC0415
    from starlette.responses import JSONResponse  # noqa: PLC0415
    from starlette.routing import Route, WebSocketRoute  # noqa: PLC0415
    from starlette.websockets import WebSocket  # noqa: PLC0415

    async def health(request: Request) -> JSONResponse:
        return JSONResponse({"status": "ok"})

    async def accept(connection: WebSocket) -> None:
        await connection.accept()

    return Starlette(routes=[Route("/health", health), WebSocketRoute("/ws", accept)])


def on_uvicorn(application: Any, **options: Any) -> None:
    import uvicorn  # noqa: PLC0415

    sock = listening()

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            say("READY", port=sock.getsockname()[1])

    Server(uvicorn.Config(application, log_level="error", lifespan="off", **options)).run(sockets=[sock])


def main() -> None:
    match sys.argv[1]:
        case "websockets":
            asyncio.run(websockets_echo())
        case "uvicorn":
            options = {"ws_per_message_deflate": False, "ws_ping_interval": None}
            on_uvicorn(raw_application, loop="uvloop", http="httptools", ws="websockets-sansio", **options)
        case "starlette":
            on_uvicorn(starlette_application())
        case other:
            raise SystemExit(f"no server {other}")


if __name__ == "__main__":
    main()
