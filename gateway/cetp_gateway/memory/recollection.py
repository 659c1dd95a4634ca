"""What a turn is given from the memory without asking: the entries that fit its question. Never costs the turn."""

import asyncio
import logging
import re
from collections.abc import Sequence
from typing import Final

from cetp_gateway.api import Memory, MemoryEntry
from cetp_gateway.errors import StorageError

WAIT_S: Final = 3.0
"""An answer is not worth a longer wait."""
_QUERY_CHARS: Final = 2000
_STAMP: Final = re.compile(r"^\[\d{4}-\d\d-\d\d [^\]]*\]\s*")
"""The time in front of a question that goes to a model."""

_log = logging.getLogger(__name__)


def without_stamp(question: str) -> str:
    """A question as the person wrote it."""
    return _STAMP.sub("", question)


async def recollect(memory: Memory, question: str, *, limit: int) -> Sequence[MemoryEntry]:
    """Entries that fit, best first, none that a newer one contradicts; empty when the memory fails or is slow."""
    if limit == 0:
        return ()
    try:
        async with asyncio.timeout(WAIT_S):
            found = await memory.recall(without_stamp(question)[:_QUERY_CHARS], limit=limit)
    except (StorageError, TimeoutError) as error:
        _log.warning("a turn goes on without memories: %s", str(error) or f"none within {WAIT_S:g} s")
        return ()
    return [entry for entry in found if not entry.superseded_by]
