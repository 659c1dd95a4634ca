"""The gateway's HTTP connection: uvicorn's own, with a short way out for a whole answer.

ASGI takes an answer apart, uvicorn checks each header again and writes head and body one after the other, and the
event loop hands each write to the system at once: a sixth of the CPU of a tool call. Use it as
`uvicorn.Config(http=HttpConnection)`; `send_whole` finds it, and goes by ASGI on any other server.
"""

from starlette.types import Scope, Send
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from cetp_gateway.server.responses import Reply, headers_of, send_reply

_KEY = "cetp.request"


class HttpConnection(HttpToolsProtocol):
    """Relies on names of the base class that are no public interface; a test holds them fast."""

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        cycle.scope["extensions"] = {_KEY: cycle}  # type: ignore[dict-item]
        super()._start_asgi_task(cycle, app)


async def send_whole(scope: Scope, send: Send, reply: Reply) -> None:
    """Answer an HTTP request other than HEAD."""
    cycle: RequestResponseCycle | None = scope.get("extensions", {}).get(_KEY)
    if cycle is None:
        await send_reply(send, reply)
        return
    if cycle.flow.write_paused and not cycle.disconnected:
        await cycle.flow.drain()
    if not cycle.disconnected:
        _write(cycle, reply)


def _write(cycle: RequestResponseCycle, reply: Reply) -> None:
    lines = [STATUS_LINE[reply.status]]
    for name, value in (*cycle.default_headers, *headers_of(reply)):
        lines += (name, b": ", value, b"\r\n")
    lines += (b"\r\n" if cycle.keep_alive else b"connection: close\r\n\r\n", reply.body)
    cycle.response_started = cycle.response_complete = True
    cycle.transport.write(b"".join(lines))
    cycle.message_event.set()
    if not cycle.keep_alive:
        cycle.transport.close()
    cycle.on_response()
