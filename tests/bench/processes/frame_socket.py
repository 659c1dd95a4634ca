"""The client's end of a WebSocket, as cheap as Python allows: text frames, pongs, no fragments, no extensions.

The masking key is zero, which RFC 6455 5.3 allows a client to draw and which leaves the payload as it is.
"""

import asyncio
from typing import cast

_OPENING = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n{more}\r\n"
)
_TEXT, _PING = 0x81, 0x89
_NO_MASK = b"\0\0\0\0"


class FrameSocket(asyncio.Protocol):
    """Subclasses take `on_text`; `opened` is done when the handshake is."""

    def __init__(self, port: int, path: str = "/", more_headers: str = "") -> None:
        self._opening = _OPENING.format(path=path, port=port, more=more_headers).encode()
        self._buffer = b""
        self._is_open = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def on_text(self, payload: bytes) -> None:
        raise NotImplementedError

    def send_text(self, payload: bytes) -> None:
        self._transport.write(frame(payload))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._opening)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(exc or ConnectionError("closed during the handshake"))

    def data_received(self, data: bytes) -> None:
        data = self._buffer + data if self._buffer else data
        if not self._is_open:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._buffer = head
                return
            self._take_head(head)
        self._buffer = self._take_frames(data)

    def _take_head(self, head: bytes) -> None:
        self._is_open = True
        if b" 101 " in head.partition(b"\r\n")[0]:
            self.opened.set_result(None)
        else:
            self.opened.set_exception(ConnectionError(head.decode(errors="replace")))

    def _take_frames(self, data: bytes) -> bytes:
        """Give on what is complete; what is not comes back."""
        while len(data) > 1:
            start, size = 2, data[1]
            if size == 126:
                start, size = 4, int.from_bytes(data[2:4], "big")
            elif size == 127:
                start, size = 10, int.from_bytes(data[2:10], "big")
            if len(data) < start + size:
                break
            if data[0] == _TEXT:
                self.on_text(data[start : start + size])
            elif data[0] == _PING:
                self._transport.write(b"\x8a" + bytes((0x80 | size,)) + _NO_MASK + data[start : start + size])
            data = data[start + size :]
        return data


def frame(payload: bytes) -> bytes:
    """A masked, final text frame."""
    size = len(payload)
    if size < 126:
        return bytes((_TEXT, 0x80 | size)) + _NO_MASK + payload
    if size < 65536:
        return b"\x81\xfe" + size.to_bytes(2, "big") + _NO_MASK + payload
    return b"\x81\xff" + size.to_bytes(8, "big") + _NO_MASK + payload
