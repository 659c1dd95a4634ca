"""Work on the database that must not be given up: tried again until it can be done.

Above: runner, run_keeper. Below: clock, errors.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from cetp_gateway.errors import StorageError
from cetp_gateway.schedules.clock import Clock, sleep

T = TypeVar("T")

PAUSE_S: Final = 30.0
"""Between two tries."""

_log = logging.getLogger(__name__)


async def patiently(clock: Clock, work: Callable[[], Awaitable[T]]) -> T:
    """Do it, and again after a pause as long as the database cannot be used; a full disk may get room."""
    while True:
        try:
            return await work()
        except StorageError as error:
            _log.warning("schedules have to wait for the database: %s", error)
            await sleep(clock, PAUSE_S)
