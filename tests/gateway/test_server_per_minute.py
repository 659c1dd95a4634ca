"""Requests of one client within a minute."""

import pytest

from cetp_gateway.errors import TooOften
from cetp_gateway.server.requests.per_minute import PerMinute


class Clock:
    """Seconds that pass when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_request_is_let_in_again_a_minute_after_the_oldest_that_counts() -> None:
    clock = Clock()
    window = PerMinute(2, "limits.some", clock)
    window.admit("a")
    clock.now += 20
    window.admit("a")
    with pytest.raises(TooOften) as refused:
        window.admit("a")
    assert refused.value.retry_after_s == 40
    clock.now += 40
    window.admit("a")
    with pytest.raises(TooOften):
        window.admit("a")


def test_clients_do_not_count_for_each_other() -> None:
    window = PerMinute(1, "limits.some", Clock())
    window.admit("a")
    window.admit("b")
    with pytest.raises(TooOften):
        window.admit("a")
