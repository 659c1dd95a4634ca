"""What a host's browser must be able to do: carry out one command after the other."""

from typing import Protocol

from cetp_gateway.pipe.values import Command, Ended


class Executor(Protocol):
    """The host's last stage. Size, form, signature, number and the host's lists have been checked before."""

    @property
    def supported(self) -> frozenset[str]:
        """Names of the actions that it can carry out; does not change during a session."""
        ...

    async def execute(self, command: Command) -> Ended:
        """Carry out one command; the next comes when this one has ended. Ends within `timeout_ms` of its params,
        may be cancelled at any await. An exception counts as INTERNAL_UNKNOWN and is logged.
        """
        ...
