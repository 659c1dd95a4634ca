"""The turn of a scheduled run, as the one who knows sessions and the agent makes it: asked, waited for, bounded.

What asks is injected (`assemble`), so that this room knows neither. Above: run_keeper.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import msgspec

from cetp_gateway.api import RunStatus, Schedule, TurnAborted, TurnDone, TurnEvent, TurnFailed
from cetp_gateway.errors import CetpError, SessionBusy
from cetp_gateway.schedules.clock import Clock, sleep

AskTurn = Callable[[Schedule, str], Awaitable[TurnEvent]]
"""Asks in the schedule's session, in line with its other turns; gives the closing event. Raises SessionBusy."""

_log = logging.getLogger(__name__)

BUSY_TRIES: Final = 10
BUSY_PAUSE_S: Final = 30.0


class TurnEnd(msgspec.Struct, frozen=True):
    """How a run's turn ended."""

    status: RunStatus
    output: str = ""
    error: str = ""


async def turn_of(ask: AskTurn, schedule: Schedule, text: str, clock: Clock, *, timeout_s: float) -> TurnEnd:
    """Ask once, and again while the session is busy, since nothing has run then."""
    # 7 ms that the start of a gateway does not need.
    import tenacity  # noqa: PLC0415

    tries = tenacity.AsyncRetrying(
        retry=tenacity.retry_if_exception_type(SessionBusy),
        stop=tenacity.stop_after_attempt(BUSY_TRIES),
        wait=tenacity.wait_fixed(BUSY_PAUSE_S),
        sleep=partial(sleep, clock),
        reraise=True,
    )
    try:
        return await tries(_asked, ask, schedule, text, timeout_s)
    except CetpError as error:
        return TurnEnd(RunStatus.FAILED, error=error.message)
    except Exception:  # noqa: BLE001  (a run has to end, whatever is broken)
        _log.exception("the turn of schedule %s could not be run", schedule.id)
        return TurnEnd(RunStatus.FAILED, error="The gateway failed; its log says where.")


async def _asked(ask: AskTurn, schedule: Schedule, text: str, timeout_s: float) -> TurnEnd:
    try:
        async with asyncio.timeout(timeout_s):
            return _ended(await ask(schedule, text))
    except TimeoutError:
        return TurnEnd(RunStatus.ABORTED, error=f"The turn took longer than {timeout_s:g} s (schedules.run_timeout_s).")


def _ended(event: TurnEvent) -> TurnEnd:
    match event:
        case TurnDone():
            return TurnEnd(RunStatus.DONE, output=event.text)
        case TurnAborted():
            return TurnEnd(RunStatus.ABORTED, output=event.text, error="Somebody stopped the turn.")
        case TurnFailed():
            return TurnEnd(RunStatus.FAILED, error=event.message)
    return TurnEnd(RunStatus.FAILED, error="The turn ended without an answer.")
