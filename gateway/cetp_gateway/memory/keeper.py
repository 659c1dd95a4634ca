"""The work beside the turns: the snapshot after changes, the removal of what is too old, vectors for what is new.

Above: `opening`, which runs it. Its failures are logged; the next round tries again.
"""

import asyncio
import contextlib
import logging
from typing import Final

from cetp_gateway.errors import StorageError
from cetp_gateway.memory.hygiene import clean_if_due
from cetp_gateway.memory.meaning import Meaning
from cetp_gateway.memory.sqlite import SqliteMemory
from cetp_gateway.settings.memory import MemorySettings

ROUND_S: Final = 15.0
"""Between two rounds; a change of core is in the snapshot after so long."""

_log = logging.getLogger(__name__)


class Keeper:
    """Looks after one memory."""

    def __init__(self, memory: SqliteMemory, settings: MemorySettings) -> None:
        self._memory = memory
        self._settings = settings

    async def run(self) -> None:
        """Rounds until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._in_rounds())
            if self._memory.meaning is not None:
                group.create_task(self._embed(self._memory.meaning))

    async def _in_rounds(self) -> None:
        while True:
            await self.round()
            await asyncio.sleep(ROUND_S)

    async def _embed(self, meaning: Meaning) -> None:
        """Vectors for what is new, as soon as it is there; after a failure with the next round."""
        prepared = False
        while True:
            self._memory.changed.clear()
            try:
                if not prepared:
                    await meaning.prepare(self._memory.database)
                    prepared = True
                await meaning.embed_missing(self._memory.database)
            except Exception as error:  # noqa: BLE001  (as above)
                _log.error("entries could not be given vectors", exc_info=error)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(ROUND_S if meaning.trouble or not prepared else None):
                    await self._memory.changed.wait()

    async def round(self) -> None:
        """Do whatever is due."""
        try:
            gone = await clean_if_due(self._memory, self._settings)
            await self._memory.snapshot.write_if_due(self._memory.database)
        except StorageError as error:
            _log.warning("the memory could not be looked after: %s", error)
        except Exception as error:  # noqa: BLE001  (one failed round must not end the care)
            _log.error("the memory could not be looked after", exc_info=error)
        else:
            if gone:
                _log.info("%d old memories were removed", gone)
