"""Names a session after its first turn, when its client gave it no name."""

import asyncio
from collections.abc import Awaitable, Callable

from cetp_gateway.api import TurnStatus
from cetp_gateway.errors import BudgetSpent, ModelFailed
from cetp_gateway.sessions.store import SessionStore

NameTitle = Callable[[str, str], Awaitable[str]]
"""Asks a model for the title of a question and its answer; raises ModelFailed."""

FALLBACK_CHARS = 15
"""So many characters of the question are the title when no model gives one."""
MAX_CHARS = 80
LOOKED_AT = 16
"""Turns among which the first answered one gives the title: those before it were aborted or failed."""
WAIT_S = 20.0
"""A title is not worth a longer wait."""


class Titles:
    """Args:
    name_title: None takes the first words instead of asking a model.
    """

    def __init__(self, store: SessionStore, *, default_name: str, name_title: NameTitle | None) -> None:
        self._store = store
        self._default_name = default_name
        self._name_title = name_title

    async def after_turn(self, session_id: str) -> str | None:
        """The new title, stored; None when the session has a name already or no turn of it has been answered."""
        session = await self._store.open(session_id)
        if session.name != self._default_name:
            return None
        turns = await self._store.turns(session_id, latest=LOOKED_AT)
        answered = next((turn for turn in turns if turn.status is TurnStatus.DONE), None)
        if answered is None:
            return None
        title = await self._make(answered.user_text, answered.text)
        renamed = await self._store.rename(session_id, title, only_from=self._default_name)
        return title if renamed else None

    async def _make(self, question: str, answer: str) -> str:
        fallback = " ".join(question.split())[:FALLBACK_CHARS]
        if self._name_title is None:
            return fallback
        try:
            async with asyncio.timeout(WAIT_S):
                title = await self._name_title(question, answer)
        except (ModelFailed, BudgetSpent, TimeoutError):
            return fallback
        return _tidy(title) or fallback


def _tidy(title: str) -> str:
    """One line without the quotes that models like to put around it."""
    return " ".join(title.split()).strip("\"'“”«»「」#* ")[:MAX_CHARS]
