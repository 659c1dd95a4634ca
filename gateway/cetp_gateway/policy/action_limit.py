"""How often a session may act: a sliding window of an hour, in memory, filled anew from the audit trail at start.

Knows nothing of tools. Above: `security_policy`. Below: nothing.
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

HOUR_S: Final = 3600.0
LINES: Final = 4096
"""With more of them, those that have been quiet for an hour are forgotten."""


class ActionLimit:
    """At most `most` actions of one line (a session, or a client outside sessions) within any hour; 0 is no limit."""

    def __init__(self, most: int, clock: Callable[[], float]) -> None:
        self._most = most
        self._clock = clock
        self._lines: dict[str, deque[float]] = {}

    def use(self, most: int) -> None:
        """Take over another number; the actions of the last hour go on to count."""
        if most != self._most:
            self._most = most
            self._lines = {line: deque(actions, maxlen=most) for line, actions in self._lines.items()} if most else {}

    @property
    def lines(self) -> int:
        """How many are known."""
        return len(self._lines)

    def fill(self, actions: Iterable[tuple[str, float]]) -> None:
        """Actions from before the start: line and time, in the order of time."""
        if self._most:
            for line, at in actions:
                self._line(line).append(at)

    def take(self, line: str) -> float:
        """Count an action now, if it may be: 0 when it may, else the seconds until the next one may be."""
        if not self._most:
            return 0.0
        actions, now = self._line(line), self._clock()
        if len(actions) >= self._most:
            wait = actions[0] + HOUR_S - now
            # A clock that was set back must not lock a session for longer than an hour.
            if 0 < wait <= HOUR_S:
                return wait
        actions.append(now)
        return 0.0

    def give_back(self, line: str) -> None:
        """The latest action of this line was not run after all."""
        actions = self._lines.get(line)
        if actions:
            actions.pop()

    def _line(self, line: str) -> deque[float]:
        actions = self._lines.get(line)
        if actions is None:
            if len(self._lines) >= LINES:
                self._forget_quiet()
            actions = self._lines[line] = deque(maxlen=self._most)
        return actions

    def _forget_quiet(self) -> None:
        long_ago = self._clock() - HOUR_S
        self._lines = {line: actions for line, actions in self._lines.items() if actions and actions[-1] > long_ago}


def line_of(session_id: str, client: str, caller: str) -> str:
    """Where a call counts: in its session, else with its client, else with its entrance."""
    return session_id or f"client {client or caller}"
