"""Events of the Messages API as far as we read them; all else in them is ignored."""

from typing import Any

import msgspec

from cetp_gateway.api import Usage


class Counts(msgspec.Struct, frozen=True):
    """Tokens so far; the API's counts are cumulative."""

    input: int = 0
    output: int = 0
    cache_creation: int = 0
    cache_read: int = 0

    def updated(self, usage: dict[str, Any] | None) -> "Counts":
        """With the counts that an event brings; those it leaves out stay."""
        said = usage or {}
        return Counts(
            _count(said.get("input_tokens"), self.input),
            _count(said.get("output_tokens"), self.output),
            _count(said.get("cache_creation_input_tokens"), self.cache_creation),
            _count(said.get("cache_read_input_tokens"), self.cache_read),
        )

    def usage(self) -> Usage:
        """The API counts input from and into its cache apart; ours is all input."""
        return Usage(
            self.input + self.cache_creation + self.cache_read, self.output, self.cache_read, self.cache_creation
        )


class EventDelta(msgspec.Struct, frozen=True):
    """`delta` of a block or of the message."""

    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    partial_json: str | None = None
    stop_reason: str | None = None


class StartedMessage(msgspec.Struct, frozen=True):
    usage: dict[str, Any] | None = None


class AnthropicEvent(msgspec.Struct, frozen=True):
    """One event, whichever it is."""

    type: str
    index: int = 0
    message: StartedMessage | None = None
    content_block: dict[str, Any] = {}
    delta: EventDelta | None = None
    usage: dict[str, Any] | None = None


def _count(value: Any, default: int) -> int:
    return value if isinstance(value, int) and value >= 0 else default
