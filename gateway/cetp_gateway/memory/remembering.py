"""The memory's part in a turn: what it brings to the question, and the notes that are taken afterwards.

Above: `assemble`. Neither costs the turn: recalling is bounded, notes are taken beside it.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Final

from cetp_gateway.api import Memory, MemoryEntry, ModelProvider, TurnRecord
from cetp_gateway.memory.consolidation import Consolidation
from cetp_gateway.memory.none import NoMemory
from cetp_gateway.memory.recollection import recollect, without_stamp
from cetp_gateway.settings.memory import MemorySettings

_NO_LLM: Final = "offline"
"""The provider whose model takes no notes and understands none."""


def local_now() -> datetime:
    return datetime.now().astimezone()


class Remembering:
    """One object for all turns; see `remembering`."""

    def __init__(self, memory: Memory, model: ModelProvider, *, recalled: int, notes: Consolidation | None) -> None:
        self._memory = memory
        self._model = model
        self._recalled = recalled
        self._notes = notes

    async def before_turn(self, question: str) -> Sequence[MemoryEntry]:
        """What fits a question, best first."""
        # Asked each time: the settings may put another model in the place of this one.
        limit = 0 if self._model.provider == _NO_LLM else self._recalled
        return await recollect(self._memory, question, limit=limit)

    def after_turn(self, session_id: str, question: str, record: TurnRecord) -> None:
        """Have notes taken of a turn that has ended well; returns at once."""
        if self._notes is not None and self._model.provider != _NO_LLM:
            self._notes.after_turn(session_id, without_stamp(question), record)

    async def idle(self) -> None:
        """Wait until the notes of all turns so far have been taken. Bound it with a timeout."""
        if self._notes is not None:
            await self._notes.idle()


@asynccontextmanager
async def remembering(
    settings: MemorySettings,
    memory: Memory,
    model: ModelProvider,
    clock: Callable[[], datetime] = local_now,
) -> AsyncIterator[Remembering]:
    """For the length of a block. Without a memory or a language model nothing is recalled and noted."""
    if isinstance(memory, NoMemory):
        yield Remembering(memory, model, recalled=0, notes=None)
        return
    if not settings.consolidate:
        yield Remembering(memory, model, recalled=settings.recalled, notes=None)
        return
    notes = Consolidation(memory, model, timeout_s=settings.consolidation_timeout_s, clock=clock)
    taking = asyncio.create_task(notes.run())
    try:
        yield Remembering(memory, model, recalled=settings.recalled, notes=notes)
    finally:
        taking.cancel()
        await asyncio.gather(taking, return_exceptions=True)
