"""Who acts on what a device says, and how its socket ended.

Above: `link`. Below: `events`.
"""

from typing import Protocol

import msgspec

from cetp_gateway.devices.calls import Answer
from cetp_gateway.devices.events import Event


class LinkEnd(msgspec.Struct, frozen=True):
    """How a socket ended: the close code (RFC 6455 7.4, or ours from 4400 on) and reason of whoever closed it."""

    code: int
    reason: str = ""


class LinkHandler(Protocol):
    """Whoever acts on what a device says."""

    def on_event(self, event: Event[Answer]) -> None:
        """Take an event. Must not block, and may close the link; an exception closes it with 1011."""
        ...
