"""A link over an ASGI pair in memory: what it answers itself, calls, limits, and how it ends."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from cetp_gateway.api import Answered, DeviceGone, Outcome, Refused, TimedOut
from cetp_gateway.devices import (
    Abort,
    CloseCode,
    Connected,
    Event,
    LinkEnd,
    Misread,
    Regenerate,
    ToolsOffered,
    UserMessage,
)
from cetp_gateway.devices.asgi_socket import AsgiSocket
from cetp_gateway.devices.calls import Answer
from cetp_gateway.devices.link import Link
from support.devices import WITHIN_S, Handler, Linked, MemoryPeer, context, limits, make_link, memory_link, tool_entry


@pytest.fixture
def peer() -> MemoryPeer:
    return MemoryPeer()


@pytest.fixture
async def linked(peer: MemoryPeer) -> AsyncIterator[Linked]:
    async with memory_link(peer) as linked:
        yield linked


def calling(linked: Linked, *, within_s: float = WITHIN_S) -> asyncio.Task[Outcome]:
    return asyncio.create_task(linked.link.call("notes__search", {"q": "due"}, context(within_s=within_s)))


async def connect(peer: MemoryPeer, *capabilities: str, device_id: str = "phone-1") -> None:
    peer.say(type="connect", v=1, device_id=device_id, device_name="pixel", capabilities=list(capabilities))
    await peer.hear("connected")


async def test_a_call_reaches_the_device_and_its_answer_the_caller(peer: MemoryPeer, linked: Linked) -> None:
    call = calling(linked)
    request = await peer.hear("tool_call_request")
    assert (request["name"], request["args"], set(request)) == (
        "notes__search",
        {"q": "due"},
        {"type", "id", "name", "args"},
    )
    peer.say(type="tool_result", id=request["id"], output="[]", success=True)
    assert await call == Answered("[]")
    assert (await peer.hear("result_acknowledged"))["id"] == request["id"]
    assert linked.link.open_calls == 0


async def test_calls_are_answered_in_any_order(peer: MemoryPeer, linked: Linked) -> None:
    calls = [calling(linked) for _ in range(3)]
    requests = [await peer.hear("tool_call_request") for _ in calls]
    assert len({request["id"] for request in requests}) == 3
    for number in (2, 0, 1):
        peer.say(type="tool_result", id=requests[number]["id"], output=str(number))
    assert await asyncio.gather(*calls) == [Answered("0"), Answered("1"), Answered("2")]


async def test_a_client_that_knows_deadlines_is_told_what_is_left(peer: MemoryPeer, linked: Linked) -> None:
    await connect(peer, "cetp.deadline")
    call = asyncio.create_task(linked.link.call("a", {}, context(within_s=7, call_id="log-1")))
    request = await peer.hear("tool_call_request")
    assert request["call_id"] == "log-1"
    assert isinstance(request["deadline_ms"], int)
    assert 0 < request["deadline_ms"] <= 7000
    peer.say(type="tool_result", id=request["id"], output="")
    await call


async def test_a_call_ends_at_its_deadline_and_a_late_answer_is_acknowledged_and_dropped(
    peer: MemoryPeer, linked: Linked
) -> None:
    other = calling(linked)
    await peer.hear("tool_call_request")
    late = calling(linked, within_s=0.05)
    request = await peer.hear("tool_call_request")
    outcome = await late
    assert isinstance(outcome, TimedOut)
    assert outcome.after_s > 0
    peer.say(type="tool_result", id=request["id"], output="late")
    assert (await peer.hear("result_acknowledged"))["id"] == request["id"]
    assert (linked.link.open_calls, other.done()) == (1, False)
    linked.link.close(CloseCode.RESTART, "")
    await other


async def test_deadlines_are_kept_one_after_the_other(peer: MemoryPeer, linked: Linked) -> None:
    calls = [calling(linked, within_s=within_s) for within_s in (0.15, 0.05, 0.1)]
    order: list[asyncio.Task[Outcome]] = []
    for call in calls:
        call.add_done_callback(order.append)
    assert all(isinstance(outcome, TimedOut) for outcome in await asyncio.gather(*calls))
    assert order == [calls[1], calls[2], calls[0]]


async def test_a_call_without_time_left_is_not_sent(peer: MemoryPeer, linked: Linked) -> None:
    assert await linked.link.call("a", {}, context(within_s=-1)) == TimedOut(0.0)
    assert peer.nothing_waits()


@pytest.mark.parametrize("can", [True, False], ids=["cetp.cancel", "plain"])
async def test_a_cancelled_call_is_forgotten_and_the_device_told_when_it_can_be(
    peer: MemoryPeer, linked: Linked, can: bool
) -> None:
    await connect(peer, *(["cetp.cancel"] if can else []))
    call = calling(linked)
    request = await peer.hear("tool_call_request")
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert linked.link.open_calls == 0
    if can:
        assert (await peer.hear("tool_call_cancel"))["id"] == request["id"]
    peer.say(type="tool_result", id=request["id"], output="too late")
    await peer.hear("result_acknowledged")
    assert peer.nothing_waits()


async def test_a_device_that_knows_cancelling_is_told_of_a_missed_deadline(peer: MemoryPeer, linked: Linked) -> None:
    await connect(peer, "cetp.cancel")
    call = calling(linked, within_s=0.02)
    request = await peer.hear("tool_call_request")
    assert isinstance(await call, TimedOut)
    assert (await peer.hear("tool_call_cancel"))["id"] == request["id"]


async def test_calls_above_the_limit_are_refused_and_the_others_go_on(peer: MemoryPeer) -> None:
    async with memory_link(peer, limits(calls_per_device=2)) as linked:
        calls = [calling(linked) for _ in range(2)]
        requests = [await peer.hear("tool_call_request") for _ in calls]
        refused = await calling(linked)
        assert isinstance(refused, Refused)
        assert (refused.code, "limits.calls_per_device" in refused.message) == ("RATE_LIMITED", True)
        for request in requests:
            peer.say(type="tool_result", id=request["id"], output="x")
        assert await asyncio.gather(*calls) == [Answered("x"), Answered("x")]


@pytest.mark.parametrize("text", ["x" * 1024, "é" * 512, "\n" * 512], ids=["ascii", "two bytes", "escapes"])
async def test_a_call_that_makes_too_large_a_frame_is_refused_with_the_limit(peer: MemoryPeer, text: str) -> None:
    async with memory_link(peer, limits(message_bytes=1024)) as linked:
        refused = await linked.link.call("a", {"q": text}, context())
        assert isinstance(refused, Refused)
        assert "limits.message_bytes" in refused.message
        assert (linked.link.open_calls, peer.nothing_waits()) == (0, True)


async def test_arguments_that_cannot_be_written_are_refused(peer: MemoryPeer, linked: Linked) -> None:
    deep: dict[str, object] = {}
    for _ in range(10_000):
        deep = {"d": deep}
    for arguments in ({"q": "\ud800"}, {"q": object()}, deep):
        refused = await linked.link.call("a", arguments, context())
        assert isinstance(refused, Refused)
        assert refused.code == "INVALID_ARGS"
    assert linked.link.open_calls == 0


async def test_open_calls_fail_at_once_when_the_socket_ends(peer: MemoryPeer, linked: Linked) -> None:
    await connect(peer)
    calls = [calling(linked) for _ in range(2)]
    for _ in calls:
        await peer.hear("tool_call_request")
    peer.leave(1006)
    assert await linked.ended() == LinkEnd(1006)
    assert await asyncio.gather(*calls) == [DeviceGone("pixel"), DeviceGone("pixel")]
    assert linked.link.open_calls == 0


async def test_calls_fail_in_the_very_tick_in_which_the_link_is_closed(peer: MemoryPeer, linked: Linked) -> None:
    call = calling(linked)
    await peer.hear("tool_call_request")
    linked.link.close(CloseCode.REPLACED, "newer")
    assert linked.link.open_calls == 0
    await asyncio.sleep(0)
    assert call.result() == DeviceGone("?")
    assert await linked.link.call("a", {}, context()) == DeviceGone("?")
    assert await linked.ended() == LinkEnd(CloseCode.REPLACED, "newer")
    assert peer.close_code == CloseCode.REPLACED


async def test_open_calls_fail_when_the_server_cancels_the_link(peer: MemoryPeer, linked: Linked) -> None:
    call = calling(linked)
    await peer.hear("tool_call_request")
    await linked.stop()
    assert isinstance(await call, DeviceGone)


async def test_frames_of_a_link_that_has_been_closed_count_for_nothing(peer: MemoryPeer) -> None:
    peer.answers_close = False
    async with memory_link(peer) as linked:
        peer.say(type="register_tools", tools=[tool_entry("x")])
        await linked.handler.next(ToolsOffered)
        linked.link.close(CloseCode.REPLACED, "newer")
        peer.say(type="register_tools", tools=[tool_entry("y")])
        peer.say(type="connect", device_id="phone-1")
        peer.leave()
        await linked.ended()
        assert len(linked.handler.events) == 1
        linked.link.post('{"type":"chunk","content":"late"}')
        assert peer.nothing_waits()


async def test_a_client_that_neither_reads_nor_closes_keeps_nothing_alive(peer: MemoryPeer) -> None:
    handler = Handler()
    socket = AsgiSocket(peer.receive, peer.send, close_grace_s=0.05)
    link = Link(socket, handler, limits(), host_id="h", label="?", session_id="kitchen")
    linked = Linked(link, handler)
    peer.stop_reading()
    link.post('{"type":"chunk","content":"x"}')
    link.close(CloseCode.RESTART, "restart")
    assert await linked.ended() == LinkEnd(CloseCode.RESTART, "restart")


async def test_the_link_answers_connect_itself_and_then_tells_its_handler(peer: MemoryPeer, linked: Linked) -> None:
    assert (linked.link.host_id, linked.link.label) == ("socket/kitchen", "?")
    await connect(peer, "cetp.shared", "cetp.read_only")
    event = await linked.handler.next(Connected)
    assert (event.device_id, event.device_name) == ("phone-1", "pixel")
    link = linked.link
    assert (link.host_id, link.label, link.source, link.shared, link.read_only) == (
        "o1/phone-1",
        "pixel",
        "kitchen",
        True,
        True,
    )


async def test_a_plain_client_offers_to_its_own_session_alone_and_promises_nothing(
    peer: MemoryPeer, linked: Linked
) -> None:
    peer.say(type="connect", v=1, session_id="elsewhere")
    await peer.hear("connected")
    assert (linked.link.shared, linked.link.read_only, linked.link.source) == (False, False, "kitchen")


@pytest.mark.parametrize(
    ("text", "code"),
    [("{oops", "INVALID_JSON"), ('{"type":"dance"}', "UNKNOWN_MESSAGE_TYPE"), ('{"type":"message"}', "EMPTY_CONTENT")],
)
async def test_what_cannot_be_used_is_answered_and_the_socket_lives_on(
    peer: MemoryPeer, linked: Linked, text: str, code: str
) -> None:
    peer.say_text(text)
    assert (await peer.hear("error"))["code"] == code
    assert (await linked.handler.next(Misread)).code == code
    await connect(peer)


async def test_binary_frames_are_ignored(peer: MemoryPeer, linked: Linked) -> None:
    peer.say_bytes(b'{"type":"dance"}')
    peer.say(type="abort")
    await linked.handler.next(Abort)
    assert peer.nothing_waits()


async def test_a_frame_over_the_limit_closes_with_1009(peer: MemoryPeer) -> None:
    async with memory_link(peer, limits(message_bytes=1024)) as linked:
        peer.say(type="message", content="x" * 1024)
        end = await linked.ended()
        assert (end.code, "limits.message_bytes" in end.reason) == (1009, True)


@pytest.mark.parametrize("kind", ["text", "bytes"])
async def test_a_flood_of_frames_that_nobody_waits_for_closes_with_4429(peer: MemoryPeer, kind: str) -> None:
    async with memory_link(peer, limits(frames_per_s=10)) as linked:
        for _ in range(30):
            if kind == "text":
                peer.say(type="tool_result", id="made-up", output="x")
            else:
                peer.say_bytes(b"x")
        end = await linked.ended()
        assert (end.code, "limits.frames_per_s" in end.reason) == (CloseCode.TOO_MANY, True)


async def test_answers_to_open_calls_are_no_flood_however_many_they_are(peer: MemoryPeer) -> None:
    async with memory_link(peer, limits(frames_per_s=10)) as linked:
        for number in range(30):
            call = calling(linked)
            request = await peer.hear("tool_call_request")
            peer.say(type="tool_result", id=request["id"], output=str(number))
            assert await call == Answered(str(number))
            await peer.hear("result_acknowledged")


async def test_events_come_in_the_order_of_the_frames(peer: MemoryPeer, linked: Linked) -> None:
    peer.say(type="connect", v=1)
    peer.say(type="register_tools", tools=[tool_entry("a")])
    peer.say(type="message", content="hi")
    peer.say(type="regenerate")
    for kind in (Connected, ToolsOffered, UserMessage, Regenerate):
        await linked.handler.next(kind)


async def test_a_handler_that_fails_costs_its_own_socket_and_no_secret_goes_out(
    peer: MemoryPeer, caplog: pytest.LogCaptureFixture
) -> None:
    class Failing(Handler):
        def on_event(self, event: Event[Answer]) -> None:
            raise RuntimeError("secret detail")

    handler = Failing()
    linked = Linked(make_link(peer, handler), handler)
    peer.say(type="abort")
    assert await linked.ended() == LinkEnd(CloseCode.FAILED, "internal error")
    assert "secret detail" in caplog.text


async def test_frames_reach_a_device_that_reads_slowly_complete_and_in_order(peer: MemoryPeer, linked: Linked) -> None:
    peer.stop_reading()
    for number in range(100):
        linked.link.post(f'{{"type":"chunk","content":"{number}"}}')
    assert linked.link.pending_messages > 0
    peer.read_again()
    assert [(await peer.hear("chunk"))["content"] for _ in range(100)] == [str(number) for number in range(100)]
    assert linked.link.pending_messages == 0


@pytest.mark.parametrize(
    "bounds", [{"pending_messages": 3}, {"pending_bytes": 1024}], ids=lambda bounds: next(iter(bounds))
)
async def test_a_device_that_does_not_read_is_cut_off_at_the_bound(peer: MemoryPeer, bounds: dict[str, int]) -> None:
    async with memory_link(peer, limits(**bounds)) as linked:
        peer.stop_reading()
        posted = 0
        while not linked.link.ended:
            assert posted < 100
            linked.link.post('{"type":"chunk","content":"%s"}' % ("x" * 400))
            posted += 1
        assert linked.link.pending_messages == 0
        peer.read_again()
        end = await linked.ended()
        assert (end.code, "limits.pending_" in end.reason) == (CloseCode.NOT_READING, True)


async def test_a_large_frame_that_would_overshoot_the_bound_is_not_kept(peer: MemoryPeer) -> None:
    async with memory_link(peer, limits(pending_bytes=1024)) as linked:
        peer.stop_reading()
        linked.link.post('{"type":"chunk","content":"sent"}')
        linked.link.post('{"type":"chunk","content":"kept"}')
        linked.link.post('{"type":"chunk","content":"%s"}' % ("é" * 600))
        assert linked.link.ended
        peer.read_again()
        await linked.ended()


async def test_an_open_call_to_a_device_that_does_not_read_fails_when_it_is_cut_off(peer: MemoryPeer) -> None:
    async with memory_link(peer, limits(pending_messages=1)) as linked:
        peer.stop_reading()
        calls = [calling(linked) for _ in range(3)]
        assert {type(outcome) for outcome in await asyncio.gather(*calls)} == {DeviceGone}
        peer.read_again()
        await linked.ended()


async def test_frames_posted_before_the_link_runs_come_first(peer: MemoryPeer) -> None:
    handler = Handler()
    link: Link = make_link(peer, handler)
    link.post('{"type":"session_start"}')
    peer.say(type="connect", v=1)
    linked = Linked(link, handler)
    await peer.hear("session_start")
    await peer.hear("connected")
    await linked.stop()
