"""The gateway's WebSocket connection: uvicorn's own, with what ASGI cannot say.

Added to it: frames are written and delivered at once, without a queue or a task in between (a quarter of the CPU of
a tool call); a close is bounded even when the peer reads nothing, where `transport.close()` would wait for ever;
pongs leave a sign of life; no token gets into the log. Use it as `uvicorn.Config(ws=DeviceConnection)`; `socket_of`
finds it.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final, cast

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request
from websockets.protocol import State

from cetp_gateway.devices.asgi_socket import CLOSE_GRACE_S
from cetp_gateway.devices.event_queue import EventQueue
from cetp_gateway.devices.socket import SCOPE_KEY
from cetp_gateway.devices.whole_frame import whole_text

MAX_REASON_BYTES = 123
"""RFC 6455 5.5: a control frame holds 125 bytes, two of them the code."""

_quiet = logging.getLogger("uvicorn.error.websocket")
_quiet.setLevel(logging.WARNING)


class DeviceConnection(WebSocketsSansIOProtocol):
    """See `Socket`. Relies on names of the base class that are no public interface; a test holds them fast."""

    take_text: Callable[[str], None] | None = None
    drained: Callable[[], None] | None = None
    heard_at = 0.0
    held_back = b""
    """Frames that wait for the next one."""
    close_grace_s = CLOSE_GRACE_S

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.queue = cast("asyncio.Queue[ASGIReceiveEvent]", EventQueue())

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        # Both would write the request's path into the log, and with it a token of the query.
        self.logger = _quiet
        self.conn.debug = False

    def write_text(self, text: str) -> bool:
        if not self.writable.is_set():
            return False
        payload = text.encode()
        frame = _text_header(len(payload)) + payload
        if self.held_back:
            frame, self.held_back = self.held_back + frame, b""
        if not (self.close_sent or self.disconnected or self.transport.is_closing()):
            self.transport.write(frame)
        return True

    def write_later(self, text: str) -> bool:
        if not self.writable.is_set():
            return False
        payload = text.encode()
        self.held_back += _text_header(len(payload)) + payload
        return True

    def flush(self) -> None:
        if self.held_back and not (self.close_sent or self.disconnected or self.transport.is_closing()):
            self.transport.write(self.held_back)
        self.held_back = b""

    def hold(self) -> None:
        if not (self.read_paused or self.close_sent or self.disconnected or self.transport.is_closing()):
            self.read_paused = True
            self.transport.pause_reading()

    def let_go(self) -> None:
        if self.read_paused and self.queue.empty() and not (self.disconnected or self.transport.is_closing()):
            self.read_paused = False
            self.transport.resume_reading()

    def close_with(self, code: int, reason: str) -> None:
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return
        if self.conn.state is not State.OPEN:
            # The peer's close came in the same bytes and is dealt with next.
            return
        self.flush()
        self.stop_keepalive()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.conn.send_close(code, reason.encode()[:MAX_REASON_BYTES].decode(errors="ignore"))
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(self.close_grace_s, self.transport.abort)

    def release(self) -> None:
        self.take_text = self.drained = None

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            extensions = cast(dict[str, Any], self.scope["extensions"])
            extensions[SCOPE_KEY] = self

    def start_keepalive(self) -> None:
        super().start_keepalive()
        # The handshake is over; an idle phone would keep its headers three times: 3 KiB. The parser holds on to the
        # request itself.
        self.request.headers.clear()
        self.scope["headers"] = []
        del self.request, self.response

    def data_received(self, data: bytes) -> None:
        text = self._whole_text(data) if self.take_text is not None else None
        if text is None:
            super().data_received(data)
        else:
            assert self.take_text is not None  # noqa: S101  (told apart above)
            self.take_text(text)

    def _whole_text(self, data: bytes) -> str | None:
        payload = None if self.close_sent else whole_text(data, self.conn)
        if payload is None:
            return None
        try:
            return payload.decode()
        except UnicodeDecodeError:
            return None

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type != "text" or self.close_sent:
            super().send_receive_event_to_app()
            return
        try:
            text = (self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)).decode()
        except UnicodeDecodeError:
            self.frames = []
            self.close_with(CloseCode.INVALID_DATA, "not UTF-8")
            return
        if self.take_text is None:
            super().send_receive_event_to_app()
            return
        # Nothing waits in the queue then: reading is paused until a link has emptied it, and it does so in one go.
        self.frames = []
        self.take_text(text)

    def handle_text(self, event: Frame) -> None:
        super().handle_text(event)
        # The parser keeps this frame until the next one comes: an idle phone's whole registration.
        event.data = b""

    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            # The base class forgets this, and takes every refused socket for an error of the application's.
            self.handshake_complete = True

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.drained is not None:
            self.drained()

    def handle_pong(self, event: Frame) -> None:
        super().handle_pong(event)
        self.heard_at = self.loop.time()

    def handle_close(self, event: Frame) -> None:
        super().handle_close(event)
        self._bound_close()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        # The base class leaves this to the loss of the connection, which may be long in coming.
        self.queue.put_nowait({"type": "websocket.disconnect", "code": 1011, "reason": "no answer to pings"})
        self._bound_close()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self._bound_close()

    def shutdown(self) -> None:
        super().shutdown()
        self._bound_close()

    def _bound_close(self) -> None:
        """The base class has closed the transport, which waits for its buffer to empty: not for ever."""
        if self.close_timer is None and not self.disconnected and self.transport.get_write_buffer_size():
            self.close_timer = self.loop.call_later(self.close_grace_s, self.transport.abort)


_SHORT_HEADERS: Final = tuple(bytes((0x81, size)) for size in range(126))


def _text_header(size: int) -> bytes:
    """The head of an unmasked, final text frame (RFC 6455 5.2)."""
    if size < 126:
        return _SHORT_HEADERS[size]
    if size < 65536:
        return b"\x81\x7e" + size.to_bytes(2, "big")
    return b"\x81\x7f" + size.to_bytes(8, "big")
