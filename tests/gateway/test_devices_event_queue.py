"""The queue of events between uvicorn's protocol and a socket's reader."""

import asyncio

from cetp_gateway.devices.event_queue import EventQueue


async def test_events_come_out_in_the_order_in_which_they_came_in() -> None:
    queue = EventQueue()
    for number in range(5):
        queue.put_nowait(number)
    assert [await queue.get() for _ in range(5)] == [0, 1, 2, 3, 4]
    assert queue.empty()


async def test_a_reader_that_waits_gets_the_next_event() -> None:
    queue = EventQueue()
    reading = asyncio.create_task(queue.get())
    await asyncio.sleep(0)
    queue.put_nowait("first")
    queue.put_nowait("second")
    async with asyncio.timeout(5):
        assert (await reading, await queue.get()) == ("first", "second")


async def test_a_reader_that_is_cancelled_loses_no_event() -> None:
    queue = EventQueue()
    reading = asyncio.create_task(queue.get())
    await asyncio.sleep(0)
    queue.put_nowait("kept")
    reading.cancel()
    await asyncio.wait((reading,))
    assert await queue.get() == "kept"
