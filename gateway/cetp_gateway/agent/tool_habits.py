"""What is known of the use of tools over turns: which are called often, and what a session was offered last.

In memory alone; after a restart it is learnt anew. Above: `tool_offer`. One object for the gateway.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from cetp_gateway.lru import Lru

_COUNTED: Final = 10_000
"""Calls after which all counts are halved, so that what was used long ago fades."""
_SESSIONS: Final = 1024


class ToolHabits:
    """Counts by public name."""

    def __init__(self) -> None:
        self._calls: Counter[str] = Counter()
        self._offers: Lru[str, tuple[str, ...]] = Lru(_SESSIONS)

    def called(self, names: Iterable[str]) -> None:
        self._calls.update(names)
        if self._calls.total() > _COUNTED:
            self._calls = Counter({name: count // 2 for name, count in self._calls.items() if count > 1})

    def frequent(self, most: int) -> list[str]:
        """Most used first; some of them may be gone by now."""
        return [name for name, _ in self._calls.most_common(most)]

    def offered_to(self, session_id: str) -> Sequence[str]:
        """What the session's latest turn was offered; empty when not known."""
        return self._offers.get(session_id) or ()

    def offer(self, session_id: str, names: Iterable[str]) -> None:
        if session_id:
            self._offers.put(session_id, tuple(names))
