"""An agent's link: its standard output, several who ask at once, those who give up, and a host that goes away."""

import asyncio
import json
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from cetp_gateway.errors import PipeFailed
from cetp_gateway.pipe import AgentLink, Done, Failed
from support.pipe_clock import run
from support.pipe_messages import SEED
from support.pipe_programs import agent_program

INIT = json.dumps({"type": "init", "version": "1.0", "hmac_seed": SEED}).encode()
DONE = Done({})


class Host:
    """The far ends of an agent's pipes."""

    def __init__(self, to_agent: int, from_agent: asyncio.StreamReader) -> None:
        self._to_agent = to_agent
        self._from_agent = from_agent

    def say(self, *lines: bytes) -> None:
        os.write(self._to_agent, b"".join(line + b"\n" for line in lines))

    def say_bytes(self, bytes_: bytes) -> None:
        os.write(self._to_agent, bytes_)

    def answer(self, seq: int) -> None:
        self.say(json.dumps({"seq": seq, "type": "response", "success": True, "result": {}}).encode())

    async def hear(self) -> dict[str, Any]:
        async with asyncio.timeout(5):
            heard: dict[str, Any] = json.loads(await self._from_agent.readline())
        return heard

    def go(self) -> None:
        os.close(self._to_agent)


@asynccontextmanager
async def linked() -> AsyncIterator[tuple[AgentLink, Host]]:
    """A link after its handshake."""
    agent_input, to_agent = os.pipe()
    from_agent, agent_output = os.pipe()
    stream = asyncio.StreamReader()
    reading, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(stream), os.fdopen(from_agent, "rb", buffering=0)
    )
    host = Host(to_agent, stream)
    host.say(INIT)
    files = os.fdopen(agent_input, "rb", buffering=0), os.fdopen(agent_output, "wb", buffering=0)
    async with await AgentLink.open(*files, ["click", "getPage"]) as link:
        assert (await host.hear())["type"] == "init_ack"
        yield link, host
    reading.close()


def on_a_jumping_clock(play: Callable[[AgentLink, Host], Awaitable[None]]) -> None:
    async def main() -> None:
        async with linked() as (link, host):
            await play(link, host)

    run(main())


def test_those_who_ask_at_once_are_served_one_after_the_other() -> None:
    async def play(link: AgentLink, host: Host) -> None:
        asked = [asyncio.create_task(link.command("getPage", {}, f"{n}.example")) for n in range(1, 4)]
        for seq in range(1, 4):
            command = await host.hear()
            assert (command["seq"], command["security"]["expected_domain"]) == (seq, f"{seq}.example")
            host.answer(seq)
        assert await asyncio.gather(*asked) == [DONE] * 3

    on_a_jumping_clock(play)


def test_the_late_answer_to_a_command_that_was_given_up_is_no_answer_to_the_next() -> None:
    async def play(link: AgentLink, host: Host) -> None:
        first = asyncio.create_task(link.command("click", {"selector": "#a"}, "example.org"))
        await host.hear()
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        second = asyncio.create_task(link.command("getPage", {}, "example.org"))
        await host.hear()
        host.say(b'{"seq":1,"type":"response","success":false,"error":{"code":"CMD_NOT_A_FIELD","message":"late"}}')
        host.answer(2)
        assert await second == DONE

    on_a_jumping_clock(play)


def test_a_command_behind_one_that_was_given_up_has_its_whole_time() -> None:
    async def play(link: AgentLink, host: Host) -> None:
        first = asyncio.create_task(link.command("click", {"selector": "#a", "timeout_ms": 30_000}, "example.org"))
        await host.hear()
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        second = asyncio.create_task(link.command("getPage", {"timeout_ms": 100}, "example.org"))
        await host.hear()
        await asyncio.sleep(30)
        host.answer(2)
        assert await second == DONE

    on_a_jumping_clock(play)


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"selector": "half \ud800"}, "PIPE_SCHEMA_INVALID"),
        ({"dy": 0.5}, "PIPE_SCHEMA_INVALID"),
        ({"text": "x" * 1_048_576}, "PIPE_MESSAGE_TOO_LARGE"),
    ],
)
def test_what_cannot_be_sent_uses_no_number_up(params: dict[str, Any], code: str) -> None:
    async def play(link: AgentLink, host: Host) -> None:
        ended = await link.command("click", params, "example.org")
        assert isinstance(ended, Failed)
        assert ended.code == code
        next_ = asyncio.create_task(link.command("getPage", {}, "example.org"))
        assert (await host.hear())["seq"] == 1
        host.answer(1)
        assert await next_ == DONE

    on_a_jumping_clock(play)


def test_after_the_end_nothing_is_sent_and_nobody_waits() -> None:
    async def play(link: AgentLink, host: Host) -> None:
        host.go()
        await link.wait_closed()
        ended = await link.command("getPage", {}, "example.org")
        assert isinstance(ended, Failed)
        assert ended.code == "PIPE_CLOSED"

    on_a_jumping_clock(play)


def test_an_answer_in_single_bytes_arrives_whole() -> None:
    async def play(link: AgentLink, host: Host) -> None:
        asked = asyncio.create_task(link.command("getPage", {}, "example.org"))
        await host.hear()
        answer = {"seq": 1, "type": "response", "success": True, "result": {"title": "读取 🎉"}}
        for byte in json.dumps(answer, ensure_ascii=False).encode() + b"\n":
            host.say_bytes(bytes([byte]))
            await asyncio.sleep(0)
        assert await asked == Done({"title": "读取 🎉"})

    on_a_jumping_clock(play)


async def test_a_host_that_closes_before_init_is_named() -> None:
    agent_input, to_agent = os.pipe()
    from_agent, agent_output = os.pipe()
    os.close(to_agent)
    with pytest.raises(PipeFailed, match="closed the pipe before init") as failed:
        await AgentLink.open(os.fdopen(agent_input, "rb"), os.fdopen(agent_output, "wb"), ["click"])
    assert failed.value.code == "PIPE_CLOSED"
    os.close(from_agent)


@asynccontextmanager
async def program(*words: str) -> AsyncIterator[Process]:
    """The agent program as a child."""
    child = await asyncio.create_subprocess_exec(*agent_program(*words), stdin=PIPE, stdout=PIPE, stderr=PIPE)
    try:
        async with asyncio.timeout(30):
            yield child
    finally:
        if child.returncode is None:
            child.kill()
        await child.communicate()


def say(child: Process, line: bytes) -> None:
    assert child.stdin is not None
    child.stdin.write(line + b"\n")


async def line_of(child: Process) -> dict[str, Any]:
    assert child.stdout is not None
    line: dict[str, Any] = json.loads(await child.stdout.readline())
    return line


@pytest.mark.requirement("pipe.2.json-lines")
async def test_whatever_prints_prints_to_standard_error() -> None:
    async with program("noise", "getPage") as child:
        say(child, INIT)
        lines = [await line_of(child), await line_of(child)]
        say(child, b'{"seq":1,"type":"response","success":true}')
        output, errors = await child.communicate(b"")
    assert output == b""
    assert [line["type"] for line in lines] == ["init_ack", "command"]
    assert {"printed", "written", "echoed"} <= set(errors.decode().split())


async def test_an_agent_ends_with_status_0_when_its_host_is_gone() -> None:
    async with program("getPage", "wait") as child:
        say(child, INIT)
        lines = [await line_of(child), await line_of(child)]
        _, errors = await child.communicate(b"")
    assert lines[1]["seq"] == 1
    assert child.returncode == 0
    assert b"became PIPE_CLOSED" in errors


@pytest.mark.requirement("pipe.7.version-log", "pipe.3.version-mismatch")
async def test_an_agent_that_is_offered_another_version_names_both_and_ends() -> None:
    async with program("getPage") as child:
        say(child, INIT.replace(b"1.0", b"2.0"))
        output, errors = await child.communicate(b"")
    assert child.returncode == 1
    (line,) = output.splitlines()
    assert json.loads(line)["version"] == "1.0"
    assert b"PIPE_VERSION_MISMATCH: the host speaks version '2.0', this agent '1.0'" in errors
