"""Which domain each session has last seen in the browser: the only one that its commands are signed for.

No model chooses it. Only a look (`navigate` to an address, `getPage` where the page has gone to) makes it another.
Above: `browser`. Below: nothing.
"""

import re
from collections import OrderedDict
from typing import Any, Final

from cetp_gateway.pipe.values import Done, Ended
from cetp_spec.pipe import PipeCode

SESSIONS: Final = 256
"""Beyond, those are forgotten that have not looked for longest."""

_DOMAIN: Final = re.compile(r"(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::[1-9][0-9]{0,4})?")
_MOST_CHARS: Final = 261
"""Both as in `command.schema.json`."""


class View:
    """One session's."""

    __slots__ = ("domain", "moved_to")

    def __init__(self) -> None:
        self.domain = ""
        """Empty: no page of any domain has been seen."""
        self.moved_to = ""
        """Where the page was said to be now, when that is elsewhere."""


class Seen:
    """The views of all sessions."""

    def __init__(self) -> None:
        self._views: OrderedDict[str, View] = OrderedDict()

    def of(self, session_id: str) -> View:
        """The session's view, to be read only."""
        return self._views.get(session_id) or View()

    def note(self, session_id: str, action: str, domain: str, ended: Ended) -> None:
        """Learn from what became of a command that was signed for `domain`."""
        view = self._views.setdefault(session_id, View())
        self._views.move_to_end(session_id)
        if len(self._views) > SESSIONS:
            self._views.popitem(last=False)
        if isinstance(ended, Done):
            view.domain, view.moved_to = domain, ""
        elif ended.code == PipeCode.MAC_DOMAIN_MISMATCH:
            _moved(view, action, ended.details)


def _moved(view: View, action: str, details: dict[str, Any]) -> None:
    if action == "navigate":
        if details.get("executed") is True:
            # The host has gone to about:blank (pipe 9.2).
            view.domain = view.moved_to = ""
        return
    elsewhere = details.get("left_for") or details.get("domain")
    if isinstance(elsewhere, str) and len(elsewhere) <= _MOST_CHARS and _DOMAIN.fullmatch(elsewhere):
        view.moved_to = elsewhere
