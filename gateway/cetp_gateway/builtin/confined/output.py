"""What a program says, as far as it is kept: its beginning and its end.

Above: `process`. Below: nothing.
"""

from collections import deque


class HeadAndTail:
    """Two thirds of `most_bytes` for the beginning, one for the end; what lies between is counted and dropped."""

    def __init__(self, most_bytes: int) -> None:
        self._head_room = most_bytes * 2 // 3
        self._tail_room = most_bytes - self._head_room
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_bytes = 0
        self.total = 0

    def take(self, piece: bytes) -> None:
        self.total += len(piece)
        room = self._head_room - len(self._head)
        self._head += piece[:room]
        if rest := piece[room:] if room > 0 else piece:
            self._tail.append(rest)
            self._tail_bytes += len(rest)
        while self._tail_bytes - len(self._tail[0] if self._tail else b"") > self._tail_room:
            self._tail_bytes -= len(self._tail.popleft())

    @property
    def content(self) -> bytes:
        """Everything; only when nothing was dropped."""
        return bytes(self._head) + b"".join(self._tail)

    @property
    def is_whole(self) -> bool:
        return self.total <= self._head_room + self._tail_room

    @property
    def text(self) -> str:
        """As UTF-8, broken characters replaced, with a line that says what is missing."""
        if self.is_whole:
            return self.content.decode("utf-8", "replace")
        tail = b"".join(self._tail)[-self._tail_room :]
        left_out = self.total - len(self._head) - len(tail)
        head, end = bytes(self._head).decode("utf-8", "replace"), tail.decode("utf-8", "replace")
        return f"{head}\n[... {left_out} bytes left out ...]\n{end}"
