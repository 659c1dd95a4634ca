"""Wrong pairing codes: counted per client and in all, and answered with a lock-out."""

import ipaddress
import math
import time
from collections.abc import Callable

import msgspec

from cetp_gateway.errors import LockedOut

_CLIENTS = 1024
"""Clients remembered at once; more cannot have failed before the common limit is reached."""
_COMMON_FACTOR = 10
"""All clients together may fail so many times as often as one: a guesser with many addresses gains little."""
_EVERYBODY = "everybody"


class _Record(msgspec.Struct):
    """Failures since a moment, on the clock of `Attempts`."""

    since: float
    failures: int = 0


class Attempts:
    """Who has failed how often.

    Args:
        allowed: wrong codes of one client within `lockout_s`; the next try is refused, whatever its code.
        lockout_s: seconds that failures count, and that a lock-out lasts.
        clock: seconds, never going back.
    """

    def __init__(self, *, allowed: int, lockout_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.use(allowed=allowed, lockout_s=lockout_s)
        self._clock = clock
        self._records: dict[str, _Record] = {}

    def use(self, *, allowed: int, lockout_s: float) -> None:
        """Take over other limits; failures go on to count."""
        self._allowed = allowed
        self._lockout_s = lockout_s

    def check(self, address: str) -> None:
        """Let a client try.

        Raises:
            LockedOut: it, or all clients together, have failed too often.
        """
        for client, allowed in self._counts(address):
            record = self._records.get(client)
            if record is not None and record.failures >= allowed:
                remaining = record.since + self._lockout_s - self._clock()
                if remaining > 0:
                    raise _locked_out(remaining)

    def failed(self, address: str) -> None:
        """Count a wrong code. A lock-out begins with the failure that causes it."""
        now = self._clock()
        for client, allowed in self._counts(address):
            record = self._records.get(client)
            if record is None or now - record.since >= self._lockout_s:
                record = self._fresh(client, now)
            record.failures += 1
            if record.failures == allowed:
                record.since = now

    def succeeded(self, address: str) -> None:
        """Forget a client's failures."""
        self._records.pop(client_of(address), None)

    def _counts(self, address: str) -> tuple[tuple[str, int], tuple[str, int]]:
        return (client_of(address), self._allowed), (_EVERYBODY, self._allowed * _COMMON_FACTOR)

    def _fresh(self, client: str, now: float) -> _Record:
        self._records.pop(client, None)
        if len(self._records) >= _CLIENTS:
            oldest = next(name for name in self._records if name != _EVERYBODY)
            del self._records[oldest]
        record = self._records[client] = _Record(now)
        return record


def client_of(address: str) -> str:
    """What counts as one client: an IPv4 address, or an IPv6 network of 64 bits, which one host can use whole."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def _locked_out(remaining: float) -> LockedOut:
    seconds = math.ceil(remaining)
    return LockedOut(f"Too many wrong pairing codes; try again in {seconds} s.", retry_after_s=seconds)
