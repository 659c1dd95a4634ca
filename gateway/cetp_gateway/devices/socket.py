"""What a link needs of a WebSocket.

Two things give it: `uvicorn_socket`, the connection that the gateway is served with, and `asgi_socket` over any
other server's `receive` and `send`. Above: `link`.
"""

from collections.abc import Callable
from typing import Protocol

from starlette.types import Message, Receive, Scope, Send

from cetp_gateway.devices.asgi_socket import AsgiSocket

SCOPE_KEY = "cetp.socket"
"""Where a server that has more than ASGI puts its socket into `scope["extensions"]`."""


class Socket(Protocol):
    """An accepted WebSocket. Only `receive` waits."""

    take_text: Callable[[str], None] | None
    """Where texts may be delivered as they come in, in place of `receive`."""
    drained: Callable[[], None] | None
    """Called when `write_text` would take a frame again."""
    held_back: bytes
    """What `write_later` took and nothing has taken along yet."""
    heard_at: float
    """The event loop's time of the last pong; 0 when pongs are not seen here."""

    async def receive(self) -> Message:
        """The next ASGI event. After `close_with` the disconnect comes within the grace."""
        ...

    def write_text(self, text: str) -> bool:
        """Send, without waiting. False: the peer does not keep up, nothing was taken, `drained` will be called."""
        ...

    def write_later(self, text: str) -> bool:
        """Send with the next frame, or with `flush`. False: nothing was taken, send it like any other."""
        ...

    def flush(self) -> None:
        """Send what `write_later` took, if it is still there."""
        ...

    def hold(self) -> None:
        """Read no more for the moment, as far as that is up to the socket; what it has read already may still come."""
        ...

    def let_go(self) -> None:
        """Read again after `hold`."""
        ...

    def close_with(self, code: int, reason: str) -> None:
        """Say goodbye, and cut the connection after a grace of seconds whatever the peer does."""
        ...

    def release(self) -> None:
        """Let go of the callbacks and of what was still to be sent."""
        ...


def socket_of(scope: Scope, receive: Receive, send: Send) -> Socket:
    """The best socket that this server has for an accepted WebSocket."""
    direct: Socket | None = scope.get("extensions", {}).get(SCOPE_KEY)
    return AsgiSocket(receive, send) if direct is None else direct
