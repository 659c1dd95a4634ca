"""What the command tool has to know of the owner's list; the policy implements it.

Above: `run_command`, `builtin_parts`. Below: nothing.
"""

from collections.abc import Sequence
from typing import Protocol


class Commands(Protocol):
    """`policy.allowed_commands`."""

    @property
    def allowed(self) -> tuple[str, ...]:
        """The rules as the owner wrote them."""
        ...

    def program(self, command: Sequence[str]) -> str | None:
        """The absolute path of an allowed command's program; None when the command is not allowed."""
        ...
