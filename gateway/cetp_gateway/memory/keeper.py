"""The work beside the turns: the snapshot after changes, and the removal of what is too old. One task.

Above: `opening`, which runs it. Its failures are logged; the next round tries again.
"""

import asyncio
import logging
from typing import Final

from cetp_gateway.errors import StorageError
from cetp_gateway.memory.hygiene import clean_if_due
from cetp_gateway.memory.sqlite import SqliteMemory
from cetp_gateway.settings.schema import MemorySettings

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
        while True:
            await self.round()
            await asyncio.sleep(ROUND_S)

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
