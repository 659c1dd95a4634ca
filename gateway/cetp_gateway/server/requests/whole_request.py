"""A request's body by the short way, when all of it has come already, as small ones have.

ASGI's `receive` would go through two coroutines, an event and a message to say so. Above: body.
"""

from starlette.types import Receive
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle


def whole_body(receive: Receive) -> bytes | None:
    """Take the body; None when it has to be awaited, or `receive` is not uvicorn's own."""
    cycle = getattr(receive, "__self__", None)
    if not isinstance(cycle, RequestResponseCycle) or cycle.more_body:
        return None
    if cycle.disconnected or cycle.response_complete or cycle.waiting_for_100_continue:
        return None
    # What `RequestResponseCycle.receive` does for the only message of a body; tests hold the two together.
    cycle.flow.resume_reading()
    cycle.message_event.clear()
    body, cycle.body = bytes(cycle.body), bytearray()
    return body
