"""The calls of one socket that wait for their answers. No clock, no event loop: time comes in as values.

A call leaves the table exactly once: answered, withdrawn, due or cleared; whoever comes later finds nothing.
"""

from typing import Generic, TypeVar

T = TypeVar("T")


class CallTable(Generic[T]):
    """Open calls by the id that stands in their request; `T` is whatever the caller wants back."""

    __slots__ = ("_calls", "_number", "_prefix")

    def __init__(self, prefix: str) -> None:
        """`prefix` tells the ids of this socket from those of all others."""
        self._prefix = prefix
        self._number = 0
        self._calls: dict[str, tuple[T, float]] = {}

    def __len__(self) -> int:
        return len(self._calls)

    def open(self, token: T, deadline: float) -> str:
        """Enter a call and give it its id."""
        self._number += 1
        call_id = f"{self._prefix}{self._number}"
        self._calls[call_id] = (token, deadline)
        return call_id

    def take(self, call_id: str) -> T | None:
        """Remove a call; None when it is not open (any more)."""
        entry = self._calls.pop(call_id, None)
        return None if entry is None else entry[0]

    def due(self, now: float) -> list[tuple[str, T]]:
        """Remove the calls whose deadline has come."""
        late = [(call_id, token) for call_id, (token, deadline) in self._calls.items() if deadline <= now]
        for call_id, _ in late:
            del self._calls[call_id]
        return late

    def earliest(self) -> float | None:
        """The next deadline, if any call is open."""
        return min((deadline for _, deadline in self._calls.values()), default=None)

    def clear(self) -> list[T]:
        """Remove all calls."""
        tokens = [token for token, _ in self._calls.values()]
        self._calls.clear()
        return tokens
