"""Work that holds the gateway up: hooks that block, huge and hostile schemas. No healthy socket may be lost by it."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
import uvloop

from cetp_gateway.agent import HookFactories
from cetp_gateway.api import CallContext, Denied, Hook, Outcome, ToolCall
from cetp_gateway.assemble import Parts
from cetp_gateway.server.serve import Gateway
from cetp_gateway.settings import Settings
from support.blackhole import Blackhole
from support.raw_phones import raw_phone
from support.served import CETP, end, environment
from support.whole import open_settings, rest, take, until, whole

Run = Callable[[Coroutine[Any, Any, None]], None]
LIMIT_S = 30.0
PINGS: dict[str, Any] = {"ping_interval_s": 0.3, "ping_timeout_s": 0.3}


@pytest.fixture(params=[asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Run:
    """Runs a scenario to its end on one kind of event loop."""

    def run(scenario: Coroutine[Any, Any, None]) -> None:
        with asyncio.Runner(loop_factory=request.param) as runner:
            runner.run(asyncio.wait_for(scenario, LIMIT_S))

    return run


class BlockingHook:
    """Holds up everything for a while, as no hook should. Its own factory."""

    name = "blocking"

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def create(self, settings: Settings) -> Hook:
        return self

    async def before_call(self, call: ToolCall, context: CallContext) -> ToolCall | Denied:
        time.sleep(self._seconds)  # noqa: ASYNC251  (the fault itself)
        return call

    async def after_call(self, call: ToolCall, outcome: Outcome, context: CallContext) -> None:
        """Nothing to do."""


def test_hooks_that_block_for_longer_than_a_pong_may_take_lose_no_phone(run: Run, tmp_path: Path) -> None:
    parts = Parts(hooks=HookFactories([BlockingHook(0.4)]))
    settings = open_settings(server=PINGS, agent={"hooks": ["blocking"]})

    async def scenario() -> None:
        async with whole(tmp_path, settings=settings, parts=parts) as running, rest(running) as http:
            # In a process of its own: it answers pings while this one is held up.
            phone = await asyncio.create_subprocess_exec(
                *CETP, "phone", "--gateway", running.url, "--quiet", "--once", env=environment(tmp_path)
            )
            try:
                await registered(running)
                calls = [http.post("/api/tools/notes__list_notebooks/call", json={}) for _ in range(3)]
                answers = [answer.json()["outcome"] for answer in await asyncio.gather(*calls)]
                assert answers == ["answered"] * 3
                assert phone.returncode is None
            finally:
                await end(phone)

    run(scenario())


async def registered(running: Gateway) -> None:
    """Wait until a phone offers its tools."""
    changed = asyncio.Event()
    running.runtime.registry.subscribe(lambda _: changed.set())
    if not running.runtime.registry.counts().usable:
        await asyncio.wait_for(changed.wait(), LIMIT_S)


def large_schema(number: int) -> dict[str, Any]:
    """About 60 KB, different for each number."""
    properties = {
        f"p{number}_{n}": {"type": "string", "description": "x" * 20, "pattern": "^[a-z]{1,40}$"} for n in range(700)
    }
    return {"type": "object", "properties": properties}


def test_a_flood_of_huge_schemas_loses_no_phone_and_others_are_answered_meanwhile(run: Run, tmp_path: Path) -> None:
    tools = [{"name": f"t{n}", "description": "x", "parameters": large_schema(n)} for n in range(40)]

    async def scenario() -> None:
        async with (
            whole(tmp_path, settings=open_settings(server=PINGS)) as running,
            rest(running) as http,
            raw_phone(running.port, "lamp") as phone,
            raw_phone(running.port, device_id="phone-2") as flooding,
        ):
            await flooding.say(type="register_tools", tools=tools)
            call = asyncio.create_task(http.post("/api/tools/lamp/call", json={}))
            await phone.answer(await phone.called(), "on")
            assert (await call).json()["output"] == "on"
            registered = (await until(flooding.socket, "tools_registered"))[-1]
            assert registered["registered"] == 40
            kept_out = [verdict["reason"] for verdict in registered["tools"] if verdict["state"] == "quarantined"]
            assert all("limits.toolset_bytes" in reason for reason in kept_out)
            assert 0 < len(kept_out) < 40

    run(scenario())


async def test_a_hostile_pattern_cannot_hold_up_the_gateway(tmp_path: Path) -> None:
    tool = {
        "name": "slow",
        "description": "Takes a text.",
        "parameters": {"type": "object", "properties": {"text": {"type": "string", "pattern": "^(a+)+$"}}},
    }
    async with whole(tmp_path) as running, rest(running) as http, raw_phone(running.port, tool) as phone:
        body = {"arguments": {"text": "a" * 40 + "!"}}
        call = asyncio.create_task(http.post("/api/tools/slow/call", json=body))
        asked = asyncio.create_task(phone.called())
        await asyncio.wait([call, asked], return_when=asyncio.FIRST_COMPLETED, timeout=LIMIT_S)
        if asked.done():
            await phone.answer(asked.result(), "the app decides")
            assert (await call).json()["outcome"] == "answered"
        else:
            asked.cancel()
            assert (await call).json()["outcome"] == "invalid_arguments"


@pytest.mark.parametrize("keyword", ["$ref", "$schema", "$id", "$dynamicRef"])
async def test_nothing_that_a_phones_schema_names_is_ever_fetched(tmp_path: Path, keyword: str) -> None:
    async with Blackhole() as elsewhere, whole(tmp_path) as running, rest(running) as http:
        schema = {"type": "object", "properties": {"a": {keyword: f"{elsewhere.url}/schema.json"}}}
        async with raw_phone(
            running.port, {"name": "far", "description": "Is far.", "parameters": schema}, "near"
        ) as phone:
            await http.post("/api/tools/far/call", json={"arguments": {"a": 1}, "timeout_ms": 200})
            call = asyncio.create_task(http.post("/api/tools/near/call", json={}))
            while (request := await phone.called())["name"] != "near":
                continue
            await phone.answer(request, "here")
            assert (await call).json()["output"] == "here"
        assert elsewhere.connections == 0


async def test_a_client_that_sends_a_body_and_never_ends_it_holds_up_nobody(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, rest(running) as http, raw_phone(running.port, "lamp") as phone:
        opened = [await asyncio.open_connection("127.0.0.1", running.port) for _ in range(20)]
        for _, writer in opened:
            writer.write(b"POST /api/tools/lamp/call HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
        call = asyncio.create_task(http.post("/api/tools/lamp/call", json={}))
        await phone.answer(await phone.called(), "on")
        assert (await call).json()["output"] == "on"
        for _, writer in opened:
            writer.transport.abort()
        await phone.say(type="connect", device_id="phone-1", capabilities=[])
        assert (await take(phone.socket))["type"] == "connected"
