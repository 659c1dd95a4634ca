"""Any sequence of frames on a live socket: health, other clients' turns and other phones' calls go on."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.frames import Opcode

from cetp_gateway.testing import ScriptedModel
from support.raw_phones import raw_phone
from support.whole import rest, whole
from support.wild_frames import is_well, says_hello, write_frame

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KINDS = (
    "connect",
    "register_tools",
    "unregister_tools",
    "get_registered_tools",
    "list_registered_tools",
    "tool_result",
    "tool_error",
    "message",
    "regenerate",
    "abort",
    "session_start",
    "tool_call_request",
)
FIELDS = (
    "id",
    "name",
    "names",
    "tools",
    "content",
    "output",
    "error",
    "success",
    "device_id",
    "device_name",
    "capabilities",
    "replace",
    "attachments",
    "debug",
)
TOOL = st.fixed_dictionaries({}, optional={"name": JSON, "description": JSON, "parameters": JSON, "effect": JSON})
FRAME_TEXTS = (
    st.builds(
        lambda kind, fields: msgspec.json.encode({"type": kind, **fields}),
        st.sampled_from(KINDS) | JSON,
        st.dictionaries(st.sampled_from(FIELDS), JSON | st.lists(TOOL, max_size=5), max_size=5),
    )
    | JSON.map(msgspec.json.encode)
    | st.binary(max_size=40)
)
WIRE = st.tuples(st.sampled_from([Opcode.TEXT] * 12 + list(Opcode)), FRAME_TEXTS, st.sampled_from([True] * 9 + [False]))


class Standing:
    """A gateway that stands while many examples are tried on it, each in a run of its own of one event loop."""

    def __init__(self, folder: Path) -> None:
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()
        model = ScriptedModel([says_hello] * 5000)
        self.running = self._runner.run(self._stack.enter_async_context(whole(folder, model)))
        self.healthy = self._runner.run(self._stack.enter_async_context(raw_phone(self.running.port, "lamp")))
        self._http = self._runner.run(self._stack.enter_async_context(rest(self.running)))

    def bear(self, frames: list[tuple[Opcode, bytes, bool]]) -> None:
        self._runner.run(self._bear(frames))

    async def _bear(self, frames: list[tuple[Opcode, bytes, bool]]) -> None:
        url = f"ws://127.0.0.1:{self.running.port}/ws/chat?session_id=fuzzed"
        async with connect(url, compression=None, proxy=None, close_timeout=1) as hostile:
            for opcode, data, fin in frames:
                write_frame(hostile, opcode, data, fin=fin)
            await self._is_well(self._http)
            hostile.transport.abort()

    async def _is_well(self, http: httpx.AsyncClient) -> None:
        await is_well(self.running)
        call = asyncio.create_task(http.post("/api/tools/lamp/call", json={}))
        request = await self.healthy.called()
        await self.healthy.answer(request, "on")
        assert (await call).json()["output"] == "on"

    def close(self) -> None:
        self._runner.run(self._stack.aclose())
        self._runner.close()


@pytest.fixture
def standing(tmp_path: Path) -> Iterator[Standing]:
    gateway = Standing(tmp_path)
    yield gateway
    gateway.close()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(frames=st.lists(WIRE, min_size=1, max_size=12))
def test_whatever_a_client_sends_health_others_turns_and_others_calls_go_on(
    standing: Standing, frames: list[tuple[Opcode, bytes, bool]]
) -> None:
    standing.bear(frames)
