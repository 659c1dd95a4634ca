"""Programs under test, started and ended: an agent as a host would, a host with the puppet as its agent.

Above: the checks. Below: `child`, `puppet`.
"""

import asyncio
import secrets
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from cetp_gateway.pipe.check.findings import Unfit
from cetp_gateway.pipe.check.talk import ANSWER_S, Talk
from cetp_gateway.pipe.child import CannotStart, Child
from cetp_gateway.pipe.frozen import CLOSE_S, VERSION
from cetp_gateway.pipe.lines import MAX_LINE_BYTES

START_S = 60.0
"""For a host to start its browser and its agent."""
_FAREWELL_S = 3.0

PLACE = "{agent}"
"""In a host's command line: where the agent's goes; without it, it goes to the end."""


class AgentUnderTest:
    """A running agent."""

    def __init__(self, child: Child, log: list[str]) -> None:
        self._child = child
        self.talk = Talk(child.read, child.write)
        self.talk.seed = secrets.token_hex(32)
        self.log = log

    async def welcome(self, version: str = VERSION) -> None:
        """Say `init`."""
        await self.talk.say({"type": "init", "version": version, "hmac_seed": self.talk.seed})

    async def end_by_itself(self, within_s: float) -> int:
        """Its exit status, once it has ended without being told. Raises Unfit."""
        try:
            return await self._child.wait(within_s)
        except TimeoutError:
            raise Unfit(f"the agent did not end within {within_s:g} s") from None

    async def end_by_closing(self) -> int:
        """Close its input; its exit status. Raises Unfit when it takes more than 5000 ms."""
        self._child.hang_up()
        return await self.end_by_itself(CLOSE_S)


class HostUnderTest:
    """A running host whose agent speaks the checker's words."""

    def __init__(self, child: Child, talk: Talk, writer: asyncio.StreamWriter, log: list[str]) -> None:
        self._child = child
        self._writer = writer
        self.talk = talk
        self.log = log

    async def leave(self) -> int:
        """The agent ends; the host's exit status, or Unfit when it goes on for long."""
        self._writer.close()
        try:
            return await self._child.wait(START_S)
        except TimeoutError:
            raise Unfit("the host did not end after its agent had") from None


@asynccontextmanager
async def agent_under_test(command: Sequence[str]) -> AsyncIterator[AgentUnderTest]:
    """Start an agent; it is gone afterwards. Raises Unfit when it cannot be started."""
    log: list[str] = []
    child = await _start(command, log)
    try:
        yield AgentUnderTest(child, log)
    finally:
        await child.kill()


@asynccontextmanager
async def host_under_test(command: Sequence[str]) -> AsyncIterator[HostUnderTest]:
    """Start a host and wait for its `init`; it is gone afterwards. Raises Unfit when that does not come."""
    log: list[str] = []
    arrived: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()
    writers: list[asyncio.StreamWriter] = []

    def arrive(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        arrived.put_nowait((reader, writer))

    with tempfile.TemporaryDirectory(prefix="cetp-check-") as folder:
        socket = str(Path(folder) / "agent")
        server = await asyncio.start_unix_server(arrive, socket, limit=2 * MAX_LINE_BYTES)
        child = await _start(with_agent(command, socket), log)
        try:
            reader, writer = await _first(arrived, child)
            talk = await _welcomed(reader, writer)
            yield HostUnderTest(child, talk, writer, log)
        finally:
            server.close()
            await _hang_up(writers)
            # In order, so that it can end its browser.
            await child.end(_FAREWELL_S)
            # A host that starts its agent again has made further connections.
            await _hang_up(writers)


def with_agent(command: Sequence[str], socket: str) -> list[str]:
    """The host's command line with that of the puppet in its place."""
    puppet = [sys.executable, "-m", "cetp_gateway.pipe.check.puppet", socket]
    if PLACE not in command:
        return [*command, *puppet]
    at = list(command).index(PLACE)
    return [*command[:at], *puppet, *command[at + 1 :]]


async def _hang_up(writers: list[asyncio.StreamWriter]) -> None:
    while writers:
        writer = writers.pop()
        if writer.transport.get_write_buffer_size():
            # Nobody reads it any more, and closing would wait for that.
            writer.transport.abort()
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def _start(command: Sequence[str], log: list[str]) -> Child:
    try:
        return await Child.start(command, on_error_line=log.append)
    except CannotStart as error:
        raise Unfit(str(error)) from None


async def _first(
    arrived: "asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]]", child: Child
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    ended = asyncio.create_task(child.wait(START_S))
    came = asyncio.create_task(arrived.get())
    await asyncio.wait([ended, came], timeout=START_S, return_when=asyncio.FIRST_COMPLETED)
    for task in (ended, came):
        task.cancel()
    await asyncio.gather(ended, came, return_exceptions=True)
    if came.cancelled():
        raise Unfit("the host did not start its agent")
    return came.result()


async def _welcomed(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Talk:
    async def read() -> bytes:
        try:
            return await reader.read(65536)
        except ConnectionError:
            return b""

    async def write(line: bytes) -> None:
        writer.write(line)
        # Who reads no more is found out by the next read.
        with suppress(ConnectionError):
            await writer.drain()

    talk = Talk(read, write)
    init = await talk.expect({"type": "init", "version": VERSION, "hmac_seed": {"$any": "string"}}, ANSWER_S)
    talk.seed = init["hmac_seed"]
    return talk
