"""The watch over the clients of calls that last."""

import asyncio

import pytest
from starlette.types import Message, Receive

from cetp_gateway.server.requests.client_watch import ClientWatches
from cetp_gateway.server.requests.errors import ClientGone


async def test_work_that_ends_while_its_client_is_watched_ends_as_it_would() -> None:
    watched = asyncio.Event()

    async def receive() -> Message:
        watched.set()
        await asyncio.Event().wait()
        raise AssertionError("nobody sets that event")

    watches = ClientWatches()
    task = watches.enter(receive)
    async with asyncio.timeout(10):
        await watched.wait()
    watches.leave(task)
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_work_is_cancelled_when_its_client_leaves_and_by_others_as_ever() -> None:
    async def gone() -> Message:
        return {"type": "http.disconnect"}

    async def work(receive: Receive) -> None:
        watches = ClientWatches()
        task = watches.enter(receive)
        try:
            await asyncio.Event().wait()
        finally:
            watches.leave(task)

    with pytest.raises(ClientGone):
        await work(gone)
    working = asyncio.create_task(work(gone))
    await asyncio.sleep(0)
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
