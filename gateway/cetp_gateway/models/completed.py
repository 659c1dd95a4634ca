"""An answer given as a whole, with what it took."""

from cetp_gateway.api import AssistantMessage, Usage


class Completed(AssistantMessage, frozen=True, tag="assistant"):
    """What `complete` of our own adapters returns."""

    usage: Usage = Usage()
