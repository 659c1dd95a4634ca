"""Awaiting under a deadline that costs nothing when nothing waits, and telling whose cancellation it is.

`asyncio.timeout_at` costs 3.5 µs for each use, a tenth of a whole tool call. Hooks and small built-in tools
mostly finish without waiting, so the timer is armed only when their first step has not finished them.
"""

import asyncio
import types
from collections.abc import Coroutine, Generator
from typing import Any, TypeVar

T = TypeVar("T")


class DeadlinePassed(Exception):
    """The work was cancelled because its deadline came first."""


def is_being_cancelled() -> bool:
    """True when the CancelledError at hand was meant for the running task, and not let slip by the work it awaits."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


@types.coroutine
def until(deadline: float, work: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
    """Await `work`; cancel it at `deadline` (the event loop's time, seconds) and raise DeadlinePassed."""
    try:
        waits_for = work.send(None)
    except StopIteration as finished:
        return finished.value  # type: ignore[no-any-return]
    return (yield from _bounded(deadline, work, waits_for).__await__())


async def _bounded(deadline: float, work: Coroutine[Any, Any, T], waits_for: object) -> T:
    try:
        async with asyncio.timeout_at(deadline) as scope:
            return await _resume(work, waits_for)
    except TimeoutError:
        if scope.expired():
            raise DeadlinePassed from None
        raise


@types.coroutine
def _resume(work: Coroutine[Any, Any, T], waits_for: object) -> Generator[Any, Any, T]:
    """Go on with a coroutine whose first step has been taken and waits for `waits_for`."""
    try:
        while True:
            try:
                yield waits_for
            except BaseException as thrown:  # noqa: BLE001  (cancellation belongs to the work)
                waits_for = work.throw(thrown)
            else:
                waits_for = work.send(None)
    except StopIteration as finished:
        return finished.value  # type: ignore[no-any-return]
