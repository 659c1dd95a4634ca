"""Short-lived tokens for the command line on the gateway's own machine; they live in memory alone."""

import hashlib
import secrets
import time
from collections.abc import Callable

LIFE_S = 3600.0
"""A command line session seldom lasts longer; the next command asks for another token."""

_HELD = 256
_CHARS = 64


class LocalTokens:
    """Issues tokens and knows which are still good."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._expiries: dict[bytes, float] = {}

    def issue(self) -> str:
        """A new token of 64 hex digits, good for an hour. The oldest goes when there are too many."""
        token = secrets.token_hex(_CHARS // 2)
        while len(self._expiries) >= _HELD:
            del self._expiries[next(iter(self._expiries))]
        self._expiries[_digest(token)] = self._clock() + LIFE_S
        return token

    def is_good(self, token: str) -> bool:
        """Was this token issued less than an hour ago?"""
        if len(token) != _CHARS:
            return False
        expiry = self._expiries.get(_digest(token))
        return expiry is not None and self._clock() < expiry


def _digest(token: str) -> bytes:
    """Looking up a digest takes the same time whatever a guess has in common with a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
