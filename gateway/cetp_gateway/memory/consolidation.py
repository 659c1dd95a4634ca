"""After a turn: its model says what is worth remembering, a daily entry and facts, and that is stored.

Runs beside the turns in one task with a bounded queue; whatever fails is logged and costs nothing but the notes.
Above: `assemble`. Below: notes, api.
"""

import asyncio
import hashlib
import logging
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Final

import msgspec

from cetp_gateway.api import (
    CONVERSATION,
    CORE,
    DAILY,
    Memory,
    MemoryAuthor,
    MemoryEntry,
    MemorySource,
    ModelProvider,
    TurnRecord,
)
from cetp_gateway.errors import CetpError
from cetp_gateway.memory.likeness import rests_on
from cetp_gateway.memory.notes import IMPORTANT, Fact, Notes, notes_request, read_notes

_WAITING: Final = 32
"""Turns whose notes are still to be made; further ones leave none."""
_KEY_LETTERS: Final = 40

_log = logging.getLogger(__name__)


class FinishedTurn(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to take notes of."""

    session_id: str
    said: str
    """The person's words."""
    answer: str
    tools: tuple[str, ...]
    """Public names of the tools that were called, sorted."""
    at: datetime
    """In local time."""


class Consolidation:
    """Takes notes of turns with their own model.

    Args:
        memory: where they go.
        model: is asked once for each turn.
        timeout_s: longest wait for it.
        clock: the time with the zone of the person.
    """

    def __init__(
        self, memory: Memory, model: ModelProvider, *, timeout_s: float, clock: Callable[[], datetime]
    ) -> None:
        self._memory = memory
        self._model = model
        self._timeout_s = timeout_s
        self._clock = clock
        self._turns: asyncio.Queue[FinishedTurn] = asyncio.Queue(_WAITING)

    def after_turn(self, session_id: str, said: str, record: TurnRecord) -> None:
        """Let notes be taken of a finished turn; returns at once."""
        names = {call.name for step in record.steps for call in step.message.calls}
        turn = FinishedTurn(
            session_id=session_id, said=said, answer=record.text, tools=tuple(sorted(names)), at=self._clock()
        )
        try:
            self._turns.put_nowait(turn)
        except asyncio.QueueFull:
            _log.warning("no notes of a turn of session %s: %d turns are waiting already", session_id, _WAITING)

    async def idle(self) -> None:
        """Wait until notes of all turns so far have been taken. Bound it with a timeout."""
        await self._turns.join()

    async def run(self) -> None:
        """Take notes until cancelled."""
        while True:
            turn = await self._turns.get()
            try:
                await self._take(turn)
            except Exception as error:  # noqa: BLE001  (one turn's notes must not end those of the others)
                _log.error("no notes of a turn of session %s", turn.session_id, exc_info=error)
            finally:
                self._turns.task_done()

    async def _take(self, turn: FinishedTurn) -> None:
        try:
            async with asyncio.timeout(self._timeout_s):
                answer = await self._model.complete(notes_request(turn.said, turn.answer))
            notes = read_notes(answer.text)
            if notes is None:
                _log.info("no notes of a turn of session %s: the model gave none that can be read", turn.session_id)
                return
            for entry in entries_of(notes, turn):
                await self._memory.store(entry)
        except (CetpError, TimeoutError) as error:
            reason = str(error) or f"no answer within {self._timeout_s:g} s"
            _log.warning("no notes of a turn of session %s: %s", turn.session_id, reason)


def entries_of(notes: Notes, turn: FinishedTurn) -> Iterator[MemoryEntry]:
    """The entries to store: a dated one of the day, then the facts."""
    if notes.daily:
        yield _entry(
            turn,
            key=f"{turn.at:%Y-%m-%d %H.%M.%S.%f} {turn.session_id}"[:200],
            content=f"{turn.at:%Y-%m-%d}: {notes.daily}",
            category=DAILY,
            importance=0.5,
        )
    for fact in notes.facts:
        category = CORE if fact.importance >= IMPORTANT else CONVERSATION
        yield _entry(turn, key=_key(fact), content=fact.content, category=category, importance=fact.importance)


def _entry(turn: FinishedTurn, *, key: str, content: str, category: str, importance: float) -> MemoryEntry:
    """What does not rest on the person's words in a turn with tools may be an app's text."""
    from_tools = bool(turn.tools) and not rests_on(content, turn.said)
    source = MemorySource(
        author=MemoryAuthor.TOOL if from_tools else MemoryAuthor.MODEL,
        tool=" ".join(turn.tools)[:500] if from_tools else "",
    )
    return MemoryEntry(
        key=key,
        content=content,
        category=category,
        session_id=turn.session_id,
        importance=importance,
        created_at=turn.at,
        source=source,
    )


def _key(fact: Fact) -> str:
    """Words that people recognise, and a few letters that make it the fact's own."""
    words = re.sub(r"\W+", "-", fact.content)[:_KEY_LETTERS].strip("-")
    return f"{words}-{hashlib.blake2b(fact.content.encode('utf-8', 'replace'), digest_size=3).hexdigest()}"
