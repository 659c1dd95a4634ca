"""Questions to a person that are open now, of whatever kind: asked from inside, settled from outside, exactly once.

Whoever waits is a future and a timer; nothing else is held meanwhile. Above: `approvals` and `questions`, which know
who may settle what. Below: nothing.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Generic, Protocol, TypeVar

REMEMBERED: Final = 256
"""Closed questions whose late answers are told what came of them."""

_log = logging.getLogger(__name__)


class Identified(Protocol):
    """A question has an id of its own."""

    @property
    def id(self) -> str: ...
    @property
    def session_id(self) -> str: ...


Q = TypeVar("Q", bound=Identified)
E = TypeVar("E")

Listener = Callable[[Q, E | None], None]
"""Told of each question when it opens (None) and when it is closed, with its end."""


class OpenQuestions(Generic[Q, E]):
    """Base of all open questions of one kind. `Q` is a question, `E` what came of it.

    Args:
        most: that may be open.
        expired: the end of a question that nobody has settled in time.
        cancelled: the end of one for whose answer nobody waits any more.
    """

    def __init__(self, *, most: int, expired: E, cancelled: E) -> None:
        self._most = most
        self._expired = expired
        self._cancelled = cancelled
        self._open: dict[str, tuple[Q, asyncio.Future[E]]] = {}
        self._closed: OrderedDict[str, E] = OrderedDict()
        self._listeners: dict[object, Listener[Q, E]] = {}
        self._ended = False

    def open(self) -> list[Q]:
        """The open questions, oldest first."""
        return [question for question, _ in self._open.values()]

    def is_waiting(self, session_id: str) -> bool:
        """Does something in this session wait for a person?"""
        return any(question.session_id == session_id for question, _ in self._open.values())

    def find(self, question_id: str) -> Q | None:
        """An open question."""
        found = self._open.get(question_id)
        return found[0] if found is not None else None

    def outcome(self, question_id: str) -> E | None:
        """What came of a question that was closed not long ago."""
        return self._closed.get(question_id)

    async def _put(self, question: Q, wait_s: float) -> E:
        """Put a question and wait for its end, so long at most.

        Raises:
            asyncio.CancelledError: the caller was cancelled; the question is closed as cancelled.
        """
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[E] = loop.create_future()
        timer = loop.call_later(wait_s, self._settle, question.id, self._expired)
        self._open[question.id] = question, answered
        self._tell(question, None)
        try:
            return await answered
        finally:
            timer.cancel()
            self._settle(question.id, self._cancelled)

    def _settle(self, question_id: str, end: E) -> bool:
        """Close a question: the one place where that happens. False when it is not open (any more)."""
        found = self._open.pop(question_id, None)
        if found is None:
            return False
        question, answered = found
        self._closed[question_id] = end
        if len(self._closed) > REMEMBERED:
            self._closed.popitem(last=False)
        if not answered.done():
            answered.set_result(end)
        self._tell(question, end)
        return True

    def close(self) -> None:
        """The gateway ends: all open questions are, and no new one is put."""
        self._ended = True
        for question in self.open():
            self._settle(question.id, self._cancelled)

    @property
    def _has_room(self) -> bool:
        return not self._ended and len(self._open) < self._most

    def subscribe(self, listener: Listener[Q, E]) -> Callable[[], None]:
        """Tell `listener` of every question until the returned function is called. It must not block."""
        key = object()
        self._listeners[key] = listener

        def unsubscribe() -> None:
            self._listeners.pop(key, None)

        return unsubscribe

    def _tell(self, question: Q, end: E | None) -> None:
        for listener in list(self._listeners.values()):
            try:
                listener(question, end)
            except Exception:  # noqa: BLE001  (one socket's fault must not keep others from being asked)
                _log.exception("a listener for questions to a person failed")
