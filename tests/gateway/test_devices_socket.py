"""A link over real sockets: uvicorn as the gateway serves it, real clients, both event loops."""

import asyncio
import logging
import socket
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import uvloop
from websockets.frames import CloseCode as WebSocketCode
from websockets.protocol import State

from cetp_gateway.api import Answered, DeviceGone, TimedOut
from cetp_gateway.devices import CloseCode, Connected, LinkEnd, ToolsOffered, UserMessage
from support.devices import WITHIN_S, closing, context, device_server, hear, limits, say, tool_entry

Run = Callable[[Coroutine[Any, Any, None]], None]
CHUNK = '{"type":"chunk","content":"%s"}'


@pytest.fixture(params=[asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Run:
    """Runs a scenario to its end on one kind of event loop."""

    def run(scenario: Coroutine[Any, Any, None]) -> None:
        with asyncio.Runner(loop_factory=request.param) as runner:
            runner.run(asyncio.wait_for(scenario, 3 * WITHIN_S))

    return run


both_ways = pytest.mark.parametrize("direct", [True, False], ids=["direct", "plain ASGI"])


@pytest.mark.requirement("runtime.remote.frames")
@both_ways
def test_a_call_goes_there_and_back(run: Run, direct: bool) -> None:
    async def scenario() -> None:
        async with device_server(direct=direct) as server, server.client() as (client, linked):
            call = asyncio.create_task(linked.link.call("notes__search", {"q": "ü"}, context()))
            request = await hear(client, "tool_call_request")
            assert (request["name"], request["args"]) == ("notes__search", {"q": "ü"})
            for output in ("first", "second"):
                await say(client, type="tool_result", id=request["id"], output=output)
                assert (await hear(client, "result_acknowledged"))["id"] == request["id"]
            assert await call == Answered("first")

    run(scenario())


@both_ways
def test_what_a_client_sends_in_one_burst_before_its_link_exists_comes_complete_and_in_order(
    run: Run, direct: bool
) -> None:
    async def scenario() -> None:
        async with device_server(direct=direct) as server:
            server.may_link.clear()
            client = await server.connect()
            await say(client, type="connect", v=1)
            await say(client, type="register_tools", tools=[tool_entry("a")])
            for number in range(20):
                await say(client, type="message", content=str(number))
            server.may_link.set()
            linked = await server.arrived()
            await linked.handler.next(Connected)
            await linked.handler.next(ToolsOffered)
            said = [(await linked.handler.next(UserMessage)).text for _ in range(20)]
            assert said == [str(number) for number in range(20)]
            await client.close()

    run(scenario())


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 300_000])
def test_frames_of_every_size_arrive_whole(run: Run, size: int) -> None:
    async def scenario() -> None:
        async with device_server() as server, server.client() as (client, linked):
            frame = CHUNK % ("x" * max(0, size - len(CHUNK % "")))
            linked.link.post(frame)
            linked.link.post('{"type":"aborted"}')
            assert await client.recv() == frame
            await hear(client, "aborted")
            assert client.state is State.OPEN

    run(scenario())


def test_a_message_in_fragments_is_one_message(run: Run) -> None:
    async def scenario() -> None:
        async with device_server() as server, server.client() as (client, linked):
            await client.send(iter(['{"type":"mess', 'age","content":"gr', 'ün"}']))
            assert (await linked.handler.next(UserMessage)).text == "grün"

    run(scenario())


@both_ways
def test_calls_in_flight_fail_when_the_device_goes_and_other_devices_go_on(run: Run, direct: bool) -> None:
    async def scenario() -> None:
        async with (
            device_server(direct=direct) as server,
            server.client() as (leaving, first),
            server.client() as (staying, second),
        ):
            calls = [asyncio.create_task(first.link.call("a", {}, context())) for _ in range(2)]
            other = asyncio.create_task(second.link.call("a", {}, context()))
            late = await hear(leaving, "tool_call_request")
            request = await hear(staying, "tool_call_request")
            leaving.transport.abort()
            assert await asyncio.gather(*calls) == [DeviceGone("?"), DeviceGone("?")]
            await first.ended()
            assert first.link.open_calls == 0
            async with server.client() as (again, third):
                await say(again, type="tool_result", id=late["id"], output="late")
                assert (await hear(again, "result_acknowledged"))["id"] == late["id"]
                assert third.link.open_calls == 0
            assert not other.done()
            await say(staying, type="tool_result", id=request["id"], output="here")
            assert await other == Answered("here")

    run(scenario())


@both_ways
def test_a_client_that_leaves_properly_ends_its_link_with_its_own_code(run: Run, direct: bool) -> None:
    async def scenario() -> None:
        async with device_server(direct=direct) as server, server.client() as (client, linked):
            await client.close(1000, "bye")
            assert await linked.ended() == LinkEnd(1000, "bye")
            await server.until(lambda: not server.connections)

    run(scenario())


@both_ways
def test_a_closed_client_is_told_code_and_reason_after_what_was_posted_before(run: Run, direct: bool) -> None:
    async def scenario() -> None:
        async with device_server(direct=direct) as server, server.client() as (client, linked):
            call = asyncio.create_task(linked.link.call("a", {}, context()))
            await hear(client, "tool_call_request")
            linked.link.post('{"type":"error","message":"last words"}')
            await asyncio.sleep(0)
            linked.link.close(CloseCode.TOKEN_REVOKED, "revoked")
            assert await call == DeviceGone("?")
            if direct:
                await hear(client, "error")
            assert await closing(client) == (4401, "revoked")
            assert await linked.ended() == LinkEnd(CloseCode.TOKEN_REVOKED, "revoked")
            await server.until(lambda: not server.connections)

    run(scenario())


def test_a_long_reason_is_cut_between_characters(run: Run) -> None:
    async def scenario() -> None:
        async with device_server() as server, server.client() as (client, linked):
            linked.link.close(CloseCode.REPLACED, "ü" * 100)
            assert await closing(client) == (4409, "ü" * 61)

    run(scenario())


@both_ways
def test_a_device_that_does_not_read_is_cut_off_and_slows_nobody(run: Run, direct: bool) -> None:
    async def scenario() -> None:
        bounds = limits(pending_bytes=256 * 1024)
        async with (
            device_server(bounds, direct=direct) as server,
            server.client() as (silent, first),
            server.client() as (reading, second),
        ):
            silent.transport.pause_reading()
            frame = CHUNK % ("x" * 10_000)
            sent = 0
            while not first.link.ended:
                assert sent < 10_000, "nothing bounds what waits"
                first.link.post(frame)
                second.link.post(frame)
                assert first.link.pending_messages * len(frame) <= bounds.pending_bytes
                assert (await reading.recv()) == frame
                sent += 1
            assert (await first.ended()).code == CloseCode.NOT_READING
            assert second.link.pending_messages == 0

    run(scenario())


def test_a_device_that_reads_again_in_time_learns_why_it_was_cut_off(run: Run) -> None:
    async def scenario() -> None:
        async with device_server(limits(pending_bytes=64 * 1024)) as server, server.client() as (silent, linked):
            silent.transport.pause_reading()
            while not linked.link.ended:
                linked.link.post(CHUNK % ("x" * 10_000))
                await asyncio.sleep(0)
            silent.transport.resume_reading()
            assert (await closing(silent))[0] == CloseCode.NOT_READING

    run(scenario())


@pytest.mark.parametrize("way", ["closed by us", "closed by the client", "silent to pings", "shut down"])
def test_a_peer_that_reads_nothing_keeps_no_connection_alive(run: Run, way: str) -> None:
    async def scenario() -> None:
        ping_s = 0.1 if way == "silent to pings" else None
        async with device_server(ping_s=ping_s) as server, server.client() as (client, linked):
            client.transport.pause_reading()
            call = asyncio.create_task(linked.link.call("a", {}, context()))
            while not linked.link.pending_messages:
                linked.link.post(CHUNK % ("x" * 100_000))
                await asyncio.sleep(0)
            if way == "closed by us":
                linked.link.close(CloseCode.REPLACED, "newer")
            elif way == "closed by the client":
                client.transport.write(b"\x88\x80\0\0\0\0")
            elif way == "shut down":
                server.shut_down()
            assert isinstance(await call, DeviceGone)
            await linked.ended()
            await server.until(lambda: not server.connections)

    run(scenario())


def test_a_half_open_socket_is_noticed_and_nothing_more_is_taken_from_it(run: Run) -> None:
    async def scenario() -> None:
        async with device_server(ping_s=0.1) as server, server.client() as (asleep, linked):
            asleep.transport.pause_reading()
            call = asyncio.create_task(linked.link.call("a", {}, context()))
            assert await call == DeviceGone("?")
            assert (await linked.ended()).code == CloseCode.FAILED
            await say(asleep, type="register_tools", tools=[tool_entry("x")])
            await server.until(lambda: not server.connections)
            assert linked.handler.events == []

    run(scenario())


def test_a_pong_is_a_sign_of_life(run: Run) -> None:
    async def scenario() -> None:
        async with device_server(ping_s=0.02) as server, server.client() as (_, linked):
            began = linked.link.heard_at
            await server.until(lambda: server.pongs >= 3)
            assert linked.link.heard_at > began
            assert not linked.link.ended

    run(scenario())


@both_ways
def test_a_frame_over_the_limit_ends_the_socket_with_1009(run: Run, direct: bool) -> None:
    async def scenario() -> None:
        async with (
            device_server(limits(message_bytes=2048), direct=direct) as server,
            server.client() as (client, linked),
        ):
            await say(client, type="message", content="x" * 4096)
            assert (await linked.ended()).code == CloseCode.TOO_LARGE
            await server.until(lambda: not server.connections)

    run(scenario())


@both_ways
def test_bytes_that_are_no_text_end_the_socket_and_nothing_else(
    run: Run, direct: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        async with (
            device_server(direct=direct) as server,
            server.client() as (broken, first),
            server.client() as (client, second),
        ):
            broken.transport.write(b"\x81\x82\0\0\0\0\xff\xfe")
            assert (await first.ended()).code == WebSocketCode.INVALID_DATA
            await say(client, type="connect", v=1)
            await hear(client, "connected")
            await second.handler.next(Connected)

    run(scenario())


def test_text_right_behind_a_close_of_ours_changes_nothing(run: Run) -> None:
    async def scenario() -> None:
        async with device_server() as server, server.client() as (client, linked):
            client.transport.pause_reading()
            linked.link.close(CloseCode.REPLACED, "newer")
            await say(client, type="register_tools", tools=[tool_entry("late")])
            await linked.ended()
            await server.until(lambda: not server.connections)
            assert linked.handler.events == []

    run(scenario())


def test_a_deadline_is_kept_on_a_real_socket(run: Run) -> None:
    async def scenario() -> None:
        async with device_server() as server, server.client() as (client, linked):
            outcome = await linked.link.call("a", {}, context(within_s=0.05))
            assert isinstance(outcome, TimedOut)
            request = await hear(client, "tool_call_request")
            await say(client, type="tool_result", id=request["id"], output="late")
            await hear(client, "result_acknowledged")
            assert linked.link.open_calls == 0

    run(scenario())


def test_a_shutdown_closes_with_1012_and_fails_open_calls(run: Run) -> None:
    async def scenario() -> None:
        async with device_server() as server, server.client() as (client, linked):
            call = asyncio.create_task(linked.link.call("a", {}, context()))
            await hear(client, "tool_call_request")
            server.shut_down()
            assert await call == DeviceGone("?")
            assert (await closing(client))[0] == CloseCode.RESTART
            assert (await linked.ended()).code == CloseCode.RESTART

    run(scenario())


def test_the_installed_uvicorn_has_what_the_direct_socket_relies_on(run: Run) -> None:
    async def scenario() -> None:
        async with device_server() as server, server.client() as (client, linked):
            (connection,) = server.connections
            await say(client, type="connect", v=1)
            await hear(client, "connected")
            assert connection.take_text is not None, "texts are not delivered directly"
            assert connection.queue.empty()
            assert not hasattr(connection, "request"), "the handshake is kept"
            assert connection.transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            linked.link.close(CloseCode.RESTART, "")
            await linked.ended()
            assert [connection.take_text, connection.drained] == [None, None], "an ended link is kept alive"

    run(scenario())


def test_a_large_answer_travels_unchanged(run: Run) -> None:
    async def scenario() -> None:
        async with device_server() as server, server.client() as (client, linked):
            text = 'Zeile 1\n"Zeile" 2\t\u2028 😀 \\ end' * 20_000
            call = asyncio.create_task(linked.link.call("a", {}, context()))
            request = await hear(client, "tool_call_request")
            await say(client, type="tool_result", id=request["id"], output=text)
            assert await call == Answered(text)

    run(scenario())


def test_no_token_of_a_socket_gets_into_the_log(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        async with device_server() as server:
            client = await server.connect("?token=verysecret", {"Authorization": "Bearer topsecret"})
            linked = await server.arrived()
            await say(client, type="connect", v=1)
            await hear(client, "connected")
            await client.close()
            await linked.ended()

    caplog.set_level(logging.DEBUG)
    run(scenario())
    logged = [record.getMessage() for record in caplog.records if not record.name.startswith("websockets.client")]
    assert logged
    assert not [text for text in logged if "verysecret" in text or "topsecret" in text]
