"""Every bound of the virtual phone, with its unit."""

import msgspec


class PhoneLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The defaults are those of a real bridge; tests take shorter waits."""

    open_s: float = 10.0
    """For the TCP connection and the upgrade."""
    greeting_s: float = 10.0
    """For `connected` after `connect`."""
    registration_s: float = 30.0
    """For the answer to each frame of a registration."""
    close_s: float = 2.0
    """For the closing handshake; then the connection is cut."""
    ping_s: float = 20.0
    """Between the phone's own pings; so long is also waited for each pong."""
    parallel_calls: int = 8
    """Calls that run at once."""
    waiting_calls: int = 64
    """Calls that wait for their turn; further ones are refused as RATE_LIMITED."""
    message_bytes: int = 1024 * 1024
    """One frame to a gateway that does not say what it takes: about what a provider can hand over (spec 12)."""
    incoming_bytes: int = 16 * 1024 * 1024
    """One message from the gateway; a larger one closes the socket with 1009."""


SMALLEST_MESSAGE_BYTES = 4096
"""A gateway that says it takes less is not believed: errors must fit."""

DEFAULT_LIMITS = PhoneLimits()
