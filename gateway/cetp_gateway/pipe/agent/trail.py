"""What has crossed the pipe, for whoever gave the task. Values; never a text that was typed or read (pipe 10)."""

from collections import deque
from collections.abc import Mapping
from typing import Any, Final

import msgspec

MOST: Final = 1000
"""Records that are kept when nobody takes them."""

_PRIVATE: Final = "text"


class CommandRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One call of a tool that reached the link."""

    seq: tuple[int, ...]
    """Its numbers, one for each try; empty when nothing was sent."""
    action: str
    domain: str
    """As signed."""
    params: dict[str, Any]
    """A text that was typed is told by its length, as `text_chars`."""
    outcome: str
    """`done` or an error code."""
    ms: float


class Trail:
    """The latest commands."""

    def __init__(self) -> None:
        self._records: deque[CommandRecord] = deque(maxlen=MOST)

    def add(self, record: CommandRecord) -> None:
        self._records.append(record)

    def take(self) -> list[CommandRecord]:
        """All since the last time, oldest first."""
        records = list(self._records)
        self._records.clear()
        return records


def shown_params(action: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Params without what was typed, which may be a password."""
    if action != "type":
        return dict(params)
    shown = {key: value for key, value in params.items() if key != _PRIVATE}
    return shown | {f"{_PRIVATE}_chars": len(params.get(_PRIVATE, ""))}
