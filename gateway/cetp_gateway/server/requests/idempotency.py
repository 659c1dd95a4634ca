"""Keys by which a client marks a request that it may send twice; only a run that ended well uses one up."""

import time
from collections.abc import Callable

KEPT_S = 300.0
"""As ClawSeed keeps them."""
_KEYS = 10_000


class IdempotencyKeys:
    """Which keys are in use and which are used up."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._running: set[str] = set()
        self._done: dict[str, float] = {}

    def is_done(self, key: str) -> bool:
        """Did a run with this key end well within the last minutes?"""
        expiry = self._done.get(key)
        return expiry is not None and self._clock() < expiry

    def is_running(self, key: str) -> bool:
        return key in self._running

    def begin(self, key: str) -> None:
        """A run with this key starts."""
        self._running.add(key)

    def end(self, key: str, *, well: bool) -> None:
        """The run has ended; a failed one leaves the key free for another try."""
        self._running.discard(key)
        if not well:
            return
        self._done.pop(key, None)
        if len(self._done) >= _KEYS:
            del self._done[next(iter(self._done))]
        self._done[key] = self._clock() + KEPT_S
