"""A view without tools, for turns that need none."""

from collections.abc import Sequence

from cetp_gateway.api import RegisteredTool, ToolSpec


class NoTools:
    """Implements ToolView: nothing is there."""

    revision = 0

    def specs(self) -> Sequence[ToolSpec]:
        return ()

    def find(self, name: str) -> RegisteredTool | None:
        return None

    def nearest(self, name: str) -> tuple[str, ...]:
        return ()
