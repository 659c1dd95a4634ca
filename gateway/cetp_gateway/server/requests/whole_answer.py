"""A whole answer by the short way: one write on uvicorn's own connection.

ASGI takes an answer apart, uvicorn checks each header again and writes head and body one after the other, and the
event loop hands each write to the system at once: a sixth of the CPU of a tool call.
"""

from starlette.types import Send
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from cetp_gateway.server.requests.responses import Reply, headers_of, send_reply


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


def _write(cycle: RequestResponseCycle, reply: Reply) -> None:
    """What `RequestResponseCycle.send` does for a start and a body; a test holds the two together."""
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
