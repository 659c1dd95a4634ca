"""Until when a command may take."""

import time


class Deadline:
    """Counts down from when it is made."""

    def __init__(self, ms: int) -> None:
        self.ms = ms
        self._at = time.monotonic() + ms / 1000

    @property
    def left_ms(self) -> float:
        """At least 1, for Playwright takes 0 as for ever."""
        return max(1.0, (self._at - time.monotonic()) * 1000)

    @property
    def over(self) -> bool:
        return time.monotonic() >= self._at

    def left_s(self, beyond_s: float = 0.0) -> float:
        """Seconds that are left, with those that are allowed beyond the command's own; not less than none."""
        return max(0.0, self._at + beyond_s - time.monotonic())
