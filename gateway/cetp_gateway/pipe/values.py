"""What crosses the pipe, as values: a command that has passed every check, and what became of it.

Knows nothing of bytes, signatures or browsers. Above: cores, drivers and the browser.
"""

from typing import Any

import msgspec


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """A command of the agent (pipe 4). Its params fit the schema of its action."""

    seq: int
    """1 and up."""
    action: str
    params: dict[str, Any]
    expected_domain: str
    """The domain on which alone it may run (pipe 9)."""


class Done(msgspec.Struct, frozen=True):
    """The action was carried out; `result` fits the schema of its action."""

    result: dict[str, Any]


class Failed(msgspec.Struct, frozen=True):
    """The action was not carried out as it should, or never begun."""

    code: str
    """A `PipeCode`; other people's programs may say others."""
    message: str
    """For people: names the field, the limit or the next step. No page's text, no path, no secret."""
    details: dict[str, Any] = {}
    """For machines, such as `executed` or `left_for` (pipe 7)."""


Ended = Done | Failed
"""What became of a command."""
