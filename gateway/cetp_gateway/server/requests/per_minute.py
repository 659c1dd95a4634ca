"""How often one client may ask for something within a minute.

Above: webhook. Below: errors.
"""

import math
import time
from collections import OrderedDict, deque
from collections.abc import Callable

from cetp_gateway.errors import TooOften

_MINUTE_S = 60.0
_CLIENTS = 4096
"""Clients remembered at once; the one that has been silent longest is forgotten."""


class PerMinute:
    """A sliding window for each client.

    Args:
        allowed: requests within any 60 seconds.
        setting: the setting's name, for the refusal.
        clock: seconds, never going back.
    """

    def __init__(self, allowed: int, setting: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.use(allowed)
        self._setting = setting
        self._clock = clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def use(self, allowed: int) -> None:
        """Take over another limit."""
        self._allowed = allowed

    def admit(self, client: str) -> None:
        """Count a request. Raises TooOften, and then it does not count."""
        now = self._clock()
        times = self._times.setdefault(client, deque())
        self._times.move_to_end(client)
        while times and now - times[0] >= _MINUTE_S:
            times.popleft()
        if len(times) >= self._allowed:
            wait_s = max(1, math.ceil(times[0] + _MINUTE_S - now))
            raise TooOften(f"At most {self._allowed} a minute ({self._setting}).", retry_after_s=wait_s)
        times.append(now)
        if len(self._times) > _CLIENTS:
            self._times.popitem(last=False)
