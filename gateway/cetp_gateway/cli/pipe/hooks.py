"""The owner's hooks with the browser's as the last of them, after each reading of the settings too."""

from cetp_gateway.agent import HookFactories
from cetp_gateway.api import Hook
from cetp_gateway.settings import Settings


class HooksAndBrowser(HookFactories):
    """The known factories, and one hook that no setting names or leaves out."""

    def __init__(self, last: Hook) -> None:
        super().__init__(HookFactories.shipped())
        self._last = last

    def create(self, settings: Settings) -> tuple[Hook, ...]:
        return (*super().create(settings), self._last)
