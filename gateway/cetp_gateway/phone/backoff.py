"""How long to wait before each new attempt to connect."""

from collections.abc import Callable, Iterator
from random import random

import msgspec


class BackoffPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """The growth of the delays."""

    first_s: float = 0.25
    """The first delay is short: a gateway that restarts is back at once."""
    factor: float = 2.0
    cap_s: float = 30.0
    jitter: float = 0.5
    """Up to this share of each delay is added at random, so that phones do not come back in one instant."""


DEFAULT_POLICY = BackoffPolicy()


def backoff(policy: BackoffPolicy = DEFAULT_POLICY, chance: Callable[[], float] = random) -> Iterator[float]:
    """Endless delays in seconds: growing up to the cap, each with jitter. A new start is a new iterator."""
    delay_s = policy.first_s
    while True:
        yield delay_s * (1 + policy.jitter * chance())
        delay_s = min(delay_s * policy.factor, policy.cap_s)
