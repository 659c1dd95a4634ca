"""Acknowledgements leave with the next frame, or soon by themselves, and never behind it."""

import asyncio

from cetp_gateway.api import Answered
from cetp_gateway.devices.flushes import Flushes
from support.devices import WITHIN_S, closing, context, device_server, hear, say


class Held:
    """A socket that holds frames back."""

    def __init__(self) -> None:
        self.flushed = asyncio.Event()

    def flush(self) -> None:
        self.flushed.set()


async def test_every_socket_that_asked_is_flushed_by_itself() -> None:
    flushes, sockets = Flushes(), (Held(), Held())
    for socket in sockets:
        flushes.soon(socket)
    async with asyncio.timeout(WITHIN_S):
        for socket in sockets:
            await socket.flushed.wait()


async def test_an_acknowledgement_comes_before_the_frame_that_takes_it_along() -> None:
    async with device_server() as server, server.client() as (client, linked):
        first = asyncio.create_task(linked.link.call("first", {}, context()))
        request = await hear(client, "tool_call_request")
        await say(client, type="tool_result", id=request["id"], output="done")
        assert await first == Answered("done")
        second = asyncio.create_task(linked.link.call("second", {}, context()))
        assert (await hear(client, "result_acknowledged"))["id"] == request["id"]
        assert (await hear(client, "tool_call_request"))["name"] == "second"
        second.cancel()


async def test_an_acknowledgement_comes_before_the_close_of_its_socket() -> None:
    async with device_server() as server, server.client() as (client, linked):
        call = asyncio.create_task(linked.link.call("first", {}, context()))
        request = await hear(client, "tool_call_request")
        await say(client, type="tool_result", id=request["id"], output="done")
        assert await call == Answered("done")
        linked.link.close(4400, "enough")
        assert (await hear(client, "result_acknowledged"))["id"] == request["id"]
        assert await closing(client) == (4400, "enough")
