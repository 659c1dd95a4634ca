"""CETP's error codes (spec 6), the same six as in `contract.json`."""

from enum import StrEnum


class ErrorCode(StrEnum):
    """What a provider may say when it does not answer a call."""

    AUTH_REQUIRED = "AUTH_REQUIRED"
    """The user must sign in or authorise in the provider's app first."""
    PERMISSION_DENIED = "PERMISSION_DENIED"
    """The provider has not allowed this caller."""
    TOOL_NOT_FOUND = "TOOL_NOT_FOUND"
    """The provider has no tool, or no method, of this name."""
    INVALID_ARGS = "INVALID_ARGS"
    """The arguments do not fit the tool's schema."""
    RATE_LIMITED = "RATE_LIMITED"
    """Too many calls."""
    INTERNAL_ERROR = "INTERNAL_ERROR"
    """The provider failed."""
