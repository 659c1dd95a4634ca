"""How much an agent may do on its own."""

from enum import StrEnum


class Autonomy(StrEnum):
    """From the strictest to the freest."""

    READ_ONLY = "read_only"
    """Tools that only read; nothing else runs, whoever allows it."""
    SUPERVISED = "supervised"
    """Tools that only read; a person decides about every other call."""
    FULL = "full"
    """Everything that is offered."""

    @property
    def freedom(self) -> int:
        """0 for the strictest."""
        return list(Autonomy).index(self)
