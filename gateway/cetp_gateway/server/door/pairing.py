"""The pairing code: one at a time, good once and for a few minutes, guarded against guessing.

Knows no HTTP and no device; above are the routes that show and take codes.
"""

import hmac
import secrets
import time
from collections.abc import Callable

from cetp_gateway.errors import WrongCode
from cetp_gateway.server.door.attempts import Attempts

_DIGITS = 12
_GROUP = 4


class PairingDesk:
    """Hands out codes and takes them back.

    Args:
        attempts: counts wrong codes.
        code_life_s: seconds until an unused code is worth nothing.
        clock: seconds, never going back.
    """

    def __init__(self, attempts: Attempts, *, code_life_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._attempts = attempts
        self.code_life_s = code_life_s
        """Of the next code."""
        self._clock = clock
        self._digits = ""
        self._expiry = 0.0

    def current(self) -> str | None:
        """The code that pairs now, as `1234-5678-9012`; None when there is none."""
        if not self._digits or self._clock() >= self._expiry:
            return None
        return _grouped(self._digits)

    def renew(self) -> str:
        """Make a new code; the one before it is worth nothing from now on."""
        self._digits = f"{secrets.randbelow(10**_DIGITS):0{_DIGITS}}"
        self._expiry = self._clock() + self.code_life_s
        return _grouped(self._digits)

    def redeem(self, code: str, address: str) -> None:
        """Use up a code; hyphens and blanks in it do not matter.

        Raises:
            LockedOut: this client has tried too often; also when the code is right.
            WrongCode: the code is wrong, used or expired.
        """
        self._attempts.check(address)
        if not self._matches(code):
            self._attempts.failed(address)
            raise WrongCode("This pairing code is wrong, used or expired. `cetp pair` on the gateway makes a new one.")
        self._digits = ""
        self._attempts.succeeded(address)

    def _matches(self, code: str) -> bool:
        # Bytes: comparing text in constant time raises on letters outside ASCII, which anybody can send.
        given = code.replace("-", "").replace(" ", "").encode("utf-8", "surrogatepass")
        return self.current() is not None and hmac.compare_digest(given, self._digits.encode())


def _grouped(digits: str) -> str:
    return "-".join(digits[start : start + _GROUP] for start in range(0, _DIGITS, _GROUP))
