"""With which codes sockets end here."""

from enum import IntEnum


class CloseCode(IntEnum):
    """RFC 6455 7.4.1 below 4000, ours above. A plain ClawSeed client stays away after 1000 alone; ours also after
    4401, 4403 and 4409.
    """

    NO_CODE = 1005
    """The peer gave none. Never sent."""
    LOST = 1006
    """The connection ended without a close. Never sent."""
    TOO_LARGE = 1009
    FAILED = 1011
    """An error of ours, or no answer to pings."""
    RESTART = 1012
    TOKEN_REVOKED = 4401
    NOT_ALLOWED = 4403
    NOT_READING = 4408
    REPLACED = 4409
    """A newer socket of the same device has taken over."""
    TOO_MANY = 4429
