"""What a long result loses for the model is kept whole, when tools of this turn can reach it.

Above: the loop, `step_calls`. Below: api; whoever keeps them is handed in.
"""

from collections.abc import Sequence
from typing import Protocol

from cetp_gateway.api import Origin, ToolView


class ResultKeeper(Protocol):
    """Keeps texts for one session."""

    @property
    def readers(self) -> Sequence[str]:
        """Names of the gateway's own tools that take a reference."""
        ...

    def keep(self, text: str, *, tool: str, origin: Origin | None) -> str:
        """The reference by which the readers find the text; empty when it cannot be kept."""
        ...


class WholeResults:
    """The kept results of one turn.

    Args:
        keeper: None keeps nothing.
        tools: what the turn can call.
    """

    def __init__(self, keeper: ResultKeeper | None, tools: ToolView) -> None:
        self._keeper = keeper
        self._tools = tools
        self.readers: tuple[str, ...] = ()
        """Tools that the model was told of with a reference; empty before there was one."""

    def keep(self, text: str, tool: str, origin: Origin | None) -> str:
        """What the marker in the place of the missing part says of the whole; empty when it is lost."""
        readers = self._offered()
        if self._keeper is None or not readers:
            return ""
        reference = self._keeper.keep(text, tool=tool, origin=origin)
        if not reference:
            return ""
        self.readers = readers
        *others, last = readers
        names = f"{', '.join(others)} and {last} reach" if others else f"{last} reaches"
        return f'; {names} the whole as result "{reference}"'

    def _offered(self) -> tuple[str, ...]:
        """Of the readers those that are there and our own."""
        names = self._keeper.readers if self._keeper else ()
        return tuple(name for name in names if (tool := self._tools.find(name)) and tool.spec.origin is None)
