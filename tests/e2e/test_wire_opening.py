"""How a socket of the ClawSeed wire protocol opens: the greeting, the session it joins, who it says it is."""

import json
import socket
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.frames import Frame, Opcode

from cetp_gateway.sessions import is_session_id
from cetp_gateway.testing import Hold, ScriptedModel, ScriptedStep
from support.whole import open_settings, whole
from support.wire_client import WireClient, kinds, tool_entry, wire


async def test_the_gateway_greets_before_it_is_told_anything(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, wire(running) as client:
        greeting = client.greeting
    assert is_session_id(greeting.pop("session_id"))
    assert greeting == {
        "type": "session_start",
        "v": 1,
        "resumed": False,
        "message_count": 0,
        "name": running.runtime.settings.sessions.default_name,
    }


async def test_sockets_that_name_no_session_get_one_each(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, wire(running) as one, wire(running, "?session_id=") as other:
        assert one.session_id != other.session_id


async def test_a_session_is_resumed_with_its_messages_name_and_persona_after_a_restart(tmp_path: Path) -> None:
    query = "?session_id=kitchen&name=My+trip&persona=chef%20de%20cuisine"
    async with whole(tmp_path, [ScriptedStep(text="hi")]) as running, wire(running, query) as client:
        assert not client.greeting["resumed"]
        await client.ask()
    async with whole(tmp_path) as running, wire(running, "?session_id=kitchen&persona=another") as client:
        assert client.greeting == {
            "type": "session_start",
            "v": 1,
            "session_id": "kitchen",
            "resumed": True,
            "message_count": 2,
            "name": "My trip",
            "persona": "chef de cuisine",
        }


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("session_id=a%20b", "session_id"),
        ("session_id=a%2Fb", "session_id"),
        ("session_id=..", "session_id"),
        (f"session_id={quote('é')}", "session_id"),
        (f"session_id={'a' * 129}", "session_id"),
        (f"name={'n' * 201}", "name"),
        (f"persona={'p' * 201}", "persona"),
    ],
)
async def test_an_opening_that_cannot_be_used_is_refused_by_name_before_the_upgrade(
    tmp_path: Path, query: str, field: str
) -> None:
    async with whole(tmp_path) as running:
        with pytest.raises(InvalidStatus) as refused:
            async with wire(running, f"?{query}"):
                pass
    assert refused.value.response.status_code == 400
    assert field.encode() in (refused.value.response.body or b"")


@pytest.mark.parametrize(
    ("offered", "accepted"),
    [(["clawseed.v1"], "clawseed.v1"), (["other", "clawseed.v1"], "clawseed.v1"), (["other"], None), (None, None)],
)
async def test_the_sub_protocol_is_echoed_only_when_it_is_offered(
    tmp_path: Path, offered: list[str] | None, accepted: str | None
) -> None:
    async with whole(tmp_path) as running, wire(running, subprotocols=offered) as client:
        assert client.socket.subprotocol == accepted


@pytest.mark.requirement("runtime.start.connection")
async def test_connect_tools_and_a_message_in_one_burst_are_taken_in_order(tmp_path: Path) -> None:
    model = ScriptedModel([ScriptedStep(text="hi")])
    burst = [
        {"type": "connect", "v": 1},
        {"type": "register_tools", "tools": [tool_entry("lamp__state")]},
        {"type": "message", "content": "hello"},
    ]
    async with whole(tmp_path, model) as running, wire(running) as client:
        frames = (Frame(Opcode.TEXT, json.dumps(frame).encode()).serialize(mask=True) for frame in burst)
        client.socket.transport.write(b"".join(frames))
        heard = await client.until("done")
    assert kinds(heard) == ["connected", "tools_registered", "chunk", "chunk_reset", "done"]
    assert [tool.name for tool in model.requests[0].tools] == ["lamp__state"]


async def test_a_message_or_a_registration_may_come_first_and_connect_never(tmp_path: Path) -> None:
    async with whole(tmp_path, [ScriptedStep(text="hi")]) as running:
        async with wire(running) as client:
            assert (await client.ask())[-1]["full_response"] == "hi"
        async with wire(running) as client:
            assert (await client.register("lamp__state"))["registered"] == 1


async def test_connect_is_taken_at_any_time_also_during_a_turn(tmp_path: Path) -> None:
    hold = Hold()
    async with whole(tmp_path, [ScriptedStep(hold=hold, text="hi")]) as running, wire(running) as client:
        await client.register("lamp__state")
        await client.introduce()
        await client.say("message", content="hello")
        await client.hear("chunk")
        granted = await client.introduce("cetp.unregister")
        assert granted["capabilities"] == ["cetp.unregister"]
        hold.released.set()
        await client.until("done")


async def test_what_else_connect_says_changes_nothing(tmp_path: Path) -> None:
    async with whole(tmp_path, [ScriptedStep(text="hi")]) as running, wire(running, "?session_id=mine") as client:
        await client.say("connect", v=7, session_id="another", capabilities=["tools"])
        assert await client.hear("connected") == {"type": "connected", "v": 1, "message": "ok"}
        await client.ask()
        async with wire(running, "?session_id=mine") as mine, wire(running, "?session_id=another") as another:
            assert mine.greeting["message_count"] == 2
            assert another.greeting["message_count"] == 0


@pytest.mark.parametrize("device_id", ["a b", "x" * 129])
async def test_a_device_id_that_cannot_be_used_is_told_by_name_and_the_socket_lives_on(
    tmp_path: Path, device_id: str
) -> None:
    async with whole(tmp_path) as running, wire(running) as client:
        await client.introduce(device_id=device_id)
        error = await client.hear("error")
        assert error["code"] == "INVALID_FIELD"
        assert "device_id" in error["message"]
        await client.nothing_waits()


async def test_sockets_beyond_the_limit_are_closed_with_4429_until_one_leaves(tmp_path: Path) -> None:
    settings = open_settings(limits={"sockets": 1})
    async with whole(tmp_path, settings=settings) as running:
        async with wire(running) as first:
            code, reason = await closed_unheard(running.port)
            assert code == 4429
            assert "limits.sockets" in reason
            await first.nothing_waits()
            await first.socket.close()
        async with wire(running) as next_one:
            await next_one.nothing_waits()


async def closed_unheard(port: int) -> tuple[int, str]:
    """Open a socket that is closed before any frame came."""
    async with connect(f"ws://127.0.0.1:{port}/ws/chat", compression=None, proxy=None) as refused:
        return await WireClient(refused).closing()


async def test_an_accepted_connection_sends_small_frames_at_once(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, wire(running) as client:
        address = client.socket.transport.get_extra_info("sockname")
        assert sends_at_once(address)


def sends_at_once(client: tuple[str, int]) -> bool:
    """Is TCP_NODELAY set on this process's end of a connection from that address?"""
    for descriptor in Path("/dev/fd").iterdir():
        with (
            suppress(OSError),
            socket.fromfd(int(descriptor.name), socket.AF_INET, socket.SOCK_STREAM) as end,
        ):
            if end.getpeername() == client:
                return bool(end.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
    raise AssertionError("no end of this connection is here")
