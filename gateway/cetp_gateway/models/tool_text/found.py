"""What a reader of one format finds in a text: calls and where they end, half a call, or nothing of its kind."""

from collections.abc import Callable
from enum import Enum
from typing import Any, Final

import msgspec

from cetp_gateway.models.tool_text.offered_names import OfferedNames


class FoundCall(msgspec.Struct, frozen=True):
    """A call as the model wrote it."""

    name: str
    arguments: Any
    problem: str = ""
    """Why the arguments could not be read."""


class Found(msgspec.Struct, frozen=True):
    """Complete calls; `end` is the place behind them in the text."""

    calls: tuple[FoundCall, ...]
    end: int


class Half(Enum):
    """The text ends inside a call."""

    HALF = 0


HALF: Final = Half.HALF

Reader = Callable[[str, int, OfferedNames], Found | Half | None]
"""Reads at a place of a text. None: something else stands there."""
