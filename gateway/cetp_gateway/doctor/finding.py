"""What a check has found. Values only."""

from enum import StrEnum

import msgspec


class State(StrEnum):
    """How it stands."""

    OK = "ok"
    WARNING = "warning"
    """It works, and something will go wrong or is weaker than it could be."""
    BROKEN = "broken"
    """The gateway cannot do its work."""
    SKIPPED = "skipped"
    """Not looked at, since it is not used or was not wanted."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One precondition."""

    about: str
    """What was looked at, in a word or two."""
    state: State
    says: str
    fix: str = ""
    """What to do; empty when there is nothing to do."""


def ok(about: str, says: str) -> Finding:
    return Finding(about=about, state=State.OK, says=says)


def warning(about: str, says: str, fix: str) -> Finding:
    return Finding(about=about, state=State.WARNING, says=says, fix=fix)


def broken(about: str, says: str, fix: str) -> Finding:
    return Finding(about=about, state=State.BROKEN, says=says, fix=fix)


def skipped(about: str, says: str) -> Finding:
    return Finding(about=about, state=State.SKIPPED, says=says)
