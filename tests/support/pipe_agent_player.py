"""Plays a conversation against an agent's link over real pipes: its host, those who ask it, and its clock."""

import asyncio
import os
from collections import deque
from typing import Any

import msgspec
import pytest

from cetp_gateway.errors import PipeFailed
from cetp_gateway.pipe import AgentLink, CircuitNotice, Done, Ended
from cetp_spec.pipe import actions
from cetp_spec.pipe.vectors import Conversation
from support.pipe_messages import assert_fits, signed

_LINE_BYTES = 2_000_000
_LONG_S = 0.4
"""On a clock that jumps; shorter than any pause between two tries."""


class AgentPlayer:
    """One conversation; to be run on a JumpingLoop."""

    def __init__(self, conversation: Conversation) -> None:
        self._seed = conversation.seed
        self._steps = conversation.steps
        self._told: deque[CircuitNotice] = deque()
        self._asked: asyncio.Task[Ended] | None = None
        self._link: AgentLink | None = None

    async def play(self) -> None:
        read_end, self._to_agent = os.pipe()
        from_agent, write_end = os.pipe()
        self._heard = asyncio.StreamReader(limit=_LINE_BYTES)
        loop = asyncio.get_running_loop()
        reading, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(self._heard), os.fdopen(from_agent, "rb", buffering=0)
        )
        files = os.fdopen(read_end, "rb", buffering=0), os.fdopen(write_end, "wb", buffering=0)
        self._opening = asyncio.create_task(AgentLink.open(*files, list(actions()), on_circuit=self._told.append))
        try:
            for step in self._steps:
                await getattr(self, f"do_{step.kind}")(step.content)
        finally:
            reading.close()
            self._close()
            if self._link is not None:
                await self._link.close()
        assert not self._told

    async def do_host(self, message: dict[str, Any]) -> None:
        os.write(self._to_agent, msgspec.json.encode(message) + b"\n")
        await asyncio.sleep(0)

    async def do_host_text(self, text: str) -> None:
        os.write(self._to_agent, text.encode() + b"\n")

    async def do_host_closes(self, _: bool) -> None:
        self._close()

    async def do_agent(self, pattern: dict[str, Any]) -> None:
        async with asyncio.timeout(_LONG_S):
            line = await self._heard.readline()
        assert_fits(signed(pattern, self._seed), line)

    async def do_agent_closes(self, status: int) -> None:
        if status:
            await self._fails()
        else:
            assert self._link is not None
            async with asyncio.timeout(_LONG_S):
                await self._link.wait_closed()
            assert not self._link.lost_count

    async def do_ask(self, asked: dict[str, Any]) -> None:
        if self._link is None:
            self._link = await self._opening
        self._asked = asyncio.create_task(self._link.command(**asked))

    async def do_outcome(self, pattern: dict[str, Any]) -> None:
        assert self._asked is not None
        async with asyncio.timeout(_LONG_S):
            ended = await self._asked
        self._asked = None
        if isinstance(ended, Done):
            said: dict[str, Any] = {"result": ended.result}
        else:
            said = {"error": {"code": ended.code, "message": ended.message}}
        assert_fits(pattern, msgspec.json.encode(said))

    async def do_passes_ms(self, milliseconds: int) -> None:
        await asyncio.sleep(milliseconds / 1000 - 0.001)
        assert self._asked is None or not self._asked.done(), "the agent did not wait so long"
        with_nothing = asyncio.create_task(self._heard.readline())
        done, _ = await asyncio.wait([with_nothing], timeout=0)
        assert not done, "the agent did not wait so long"
        with_nothing.cancel()
        await asyncio.gather(with_nothing, return_exceptions=True)
        await asyncio.sleep(0.002)

    async def do_circuit(self, told: dict[str, str]) -> None:
        await asyncio.sleep(0.001)
        notice = self._told.popleft()
        assert {"action": notice.action, "state": notice.state} == told

    async def _fails(self) -> None:
        if self._link is not None:
            assert self._link.lost_count
            return
        with pytest.raises(PipeFailed) as failed:
            async with asyncio.timeout(_LONG_S):
                await self._opening
        assert failed.value.code.startswith("PIPE_")
        assert failed.value.message

    def _close(self) -> None:
        if self._to_agent >= 0:
            os.close(self._to_agent)
            self._to_agent = -1
