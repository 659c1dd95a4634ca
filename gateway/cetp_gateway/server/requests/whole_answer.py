"""A whole answer by the short way: one write on uvicorn's own connection.

ASGI takes an answer apart, uvicorn checks each header again and writes head and body one after the other, and the
event loop hands each write to the system at once: a sixth of the CPU of a tool call.
"""

from collections.abc import Iterable
from typing import Final

from starlette.types import Send
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from cetp_gateway.server.requests.responses import PRIVATE, Header, Reply, send_reply


async def send_whole(send: Send, reply: Reply) -> None:
    """Answer an HTTP request other than HEAD. By ASGI when `send` is not uvicorn's own, but a middleware's."""
    cycle = getattr(send, "__self__", None)
    if not isinstance(cycle, RequestResponseCycle):
        await send_reply(send, reply)
        return
    if cycle.flow.write_paused and not cycle.disconnected:
        await cycle.flow.drain()
    if not cycle.disconnected:
        _write(cycle, reply)


class _Heads:
    """What stands before an answer's length, as bytes that hold until uvicorn's date changes, once a second."""

    def __init__(self) -> None:
        self._defaults: list[Header] = []
        self._known: dict[tuple[int, bytes], bytes] = {}

    def before_length(self, defaults: list[Header], reply: Reply) -> bytes:
        if defaults is not self._defaults:
            self._defaults, self._known = defaults, {}
        key = (reply.status, reply.content_type)
        head = self._known.get(key)
        if head is None:
            lines = _lines((*defaults, (b"content-type", reply.content_type)))
            head = self._known[key] = STATUS_LINE[reply.status] + lines + b"content-length: "
        return head


def _lines(headers: Iterable[Header]) -> bytes:
    return b"".join(b"%b: %b\r\n" % header for header in headers)


_heads = _Heads()
_BEHIND_LENGTH: Final = b"\r\n" + _lines(PRIVATE)


def _write(cycle: RequestResponseCycle, reply: Reply) -> None:
    """What `RequestResponseCycle.send` does for a start and a body; a test holds the two together."""
    parts = (
        _heads.before_length(cycle.default_headers, reply),
        b"%d" % len(reply.body),
        _BEHIND_LENGTH,
        _lines(reply.headers) if reply.headers else b"",
        b"\r\n" if cycle.keep_alive else b"connection: close\r\n\r\n",
        reply.body,
    )
    cycle.response_started = cycle.response_complete = True
    cycle.transport.write(b"".join(parts))
    cycle.message_event.set()
    if not cycle.keep_alive:
        cycle.transport.close()
    cycle.on_response()
