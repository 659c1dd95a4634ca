"""An answer as bytes, and its way out over ASGI."""

import msgspec
from starlette.types import Send

JSON = b"application/json"
TEXT = b"text/plain; charset=utf-8"

Header = tuple[bytes, bytes]

# Answers hold people's data: no cache keeps them, and no browser takes them for something else than they say.
PRIVATE: tuple[Header, ...] = ((b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))
"""Stand behind the length."""


class Reply(msgspec.Struct, frozen=True):
    """A whole answer."""

    status: int
    body: bytes
    content_type: bytes = JSON
    headers: tuple[Header, ...] = ()


async def send_reply(send: Send, reply: Reply) -> None:
    """Send the answer to an HTTP request."""
    await send({"type": "http.response.start", "status": reply.status, "headers": headers_of(reply)})
    await send({"type": "http.response.body", "body": reply.body})


async def deny_socket(send: Send, reply: Reply) -> None:
    """Answer a WebSocket's opening request with HTTP (ASGI extension `websocket.http.response`)."""
    await send({"type": "websocket.http.response.start", "status": reply.status, "headers": headers_of(reply)})
    await send({"type": "websocket.http.response.body", "body": reply.body})


def headers_of(reply: Reply) -> list[Header]:
    """All headers of the answer but the server's own."""
    return [
        (b"content-type", reply.content_type),
        (b"content-length", b"%d" % len(reply.body)),
        *PRIVATE,
        *reply.headers,
    ]
