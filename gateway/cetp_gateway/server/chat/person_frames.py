"""Questions to a person on a socket whose client can ask one (spec 13.4): all open ones when it says that it can, later
ones as they come, and each is closed when it is.

Above: approval_frames, question_frames, which know what the questions are. Below: devices.
"""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from cetp_gateway.devices import Link
from cetp_gateway.devices.capabilities import Capability

Q = TypeVar("Q")
E = TypeVar("E")

Listener = Callable[[Q, E | None], None]


class PersonFrames(Generic[Q, E]):
    """One socket's questions of one kind.

    Args:
        link: the socket.
        capability: without which its client is shown nothing.
        attend: tells the listener of every question from now on, until what it gives back is called.
        open_now: those that are open.
        asked: the frame that shows a question.
        closed: the frame that says that it is closed.
    """

    __slots__ = ("_asked", "_attend", "_capability", "_closed", "_leave", "_link", "_open_now")

    def __init__(
        self,
        link: Link,
        capability: Capability,
        *,
        attend: Callable[[Listener[Q, E]], Callable[[], None]],
        open_now: Callable[[], Iterable[Q]],
        asked: Callable[[Q], str],
        closed: Callable[[Q, E], str],
    ) -> None:
        self._link = link
        self._capability = capability
        self._attend = attend
        self._open_now = open_now
        self._asked = asked
        self._closed = closed
        self._leave: Callable[[], None] | None = None

    def connected(self) -> None:
        """The client has said what it can do, perhaps not for the first time."""
        self.leave()
        if self._capability not in self._link.capabilities:
            return
        self._leave = self._attend(self._changed)
        for question in self._open_now():
            self._link.post(self._asked(question))

    def leave(self) -> None:
        """The socket has ended, or its client cannot answer any more."""
        if self._leave is not None:
            self._leave()
            self._leave = None

    def _changed(self, question: Q, end: E | None) -> None:
        self._link.post(self._asked(question) if end is None else self._closed(question, end))
