"""Frames that wait for a device which does not keep up; bounded in number and bytes."""

from collections import deque

from cetp_gateway.devices.text import utf8_bytes
from cetp_gateway.settings.limits import LimitSettings


class Backlog:
    """First in, first out. Made when the first frame has to wait, since an idle device needs none."""

    __slots__ = ("_frames", "_most_bytes", "_most_messages", "pending_bytes")

    def __init__(self, limits: LimitSettings) -> None:
        self._most_messages = limits.pending_messages
        self._most_bytes = limits.pending_bytes
        self._frames: deque[str] = deque()
        self.pending_bytes = 0

    def __len__(self) -> int:
        return len(self._frames)

    def add(self, frame: str) -> bool:
        """Keep a frame; False, and nothing is kept, when it would go over a limit."""
        size = utf8_bytes(frame)
        if len(self._frames) >= self._most_messages or self.pending_bytes + size > self._most_bytes:
            return False
        self._frames.append(frame)
        self.pending_bytes += size
        return True

    def first(self) -> str:
        return self._frames[0]

    def drop_first(self) -> None:
        self.pending_bytes -= utf8_bytes(self._frames.popleft())

    def clear(self) -> None:
        self._frames.clear()
        self.pending_bytes = 0
