"""`POST /api/tools/{name}/call`: each outcome with its status, bad requests, deadlines, and clients that leave."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from cetp_gateway.api import (
    Answered,
    ArgumentProblem,
    Arguments,
    CallContext,
    Cancelled,
    DeviceGone,
    Effect,
    InvalidArguments,
    Outcome,
    Refused,
    TimedOut,
    ToolSpec,
)
from cetp_gateway.assemble import Parts
from support.entered import entered
from support.whole import chat, open_settings, register, rest, send, until, whole

Execute = Callable[[Arguments, CallContext], Awaitable[Outcome]]


class Tool:
    """A built-in tool that does what a test wants."""

    def __init__(self, execute: Execute, parameters: dict[str, Any] | None = None) -> None:
        self.spec = ToolSpec(
            name="tried",
            description="Is tried.",
            parameters=parameters or {"type": "object", "properties": {}},
            effect=Effect.READS,
        )
        self._execute = execute

    async def execute(self, arguments: Arguments, context: CallContext) -> Outcome:
        return await self._execute(arguments, context)


def saying(outcome: Outcome) -> Tool:
    async def execute(_: Arguments, __: CallContext) -> Outcome:
        return outcome

    return Tool(execute)


def says(outcome: Outcome) -> Parts:
    return Parts(tools=[saying(outcome)])


async def call(http: httpx.AsyncClient, name: str = "tried", **body: Any) -> httpx.Response:
    return await http.post(f"/api/tools/{name}/call", json=body)


REFUSALS = (
    ("AUTH_REQUIRED", 424),
    ("PERMISSION_DENIED", 403),
    ("TOOL_NOT_FOUND", 404),
    ("INVALID_ARGS", 422),
    ("RATE_LIMITED", 429),
    ("INTERNAL_ERROR", 502),
    ("PROVIDERS_OWN", 502),
)


@pytest.mark.parametrize(("code", "status"), REFUSALS)
async def test_a_refusal_has_the_status_of_its_code(tmp_path: Path, code: str, status: int) -> None:
    refused = Refused(code, "Sign in first.", hint="Open the app.", authorize_intent="org.example.SIGN_IN")
    async with whole(tmp_path, parts=says(refused)) as running, rest(running) as http:
        answer = await call(http)
    assert (answer.status_code, answer.json()) == (
        status,
        {
            "outcome": "refused",
            "code": code,
            "message": "Sign in first.",
            "hint": "Open the app.",
            "authorize_intent": "org.example.SIGN_IN",
        },
    )


@pytest.mark.parametrize(
    ("outcome", "status", "body"),
    [
        (Answered('{"n":1}'), 200, {"outcome": "answered", "output": '{"n":1}'}),
        (Answered("é\n\u2028"), 200, {"outcome": "answered", "output": "é\n\u2028"}),
        (Refused("X", "no"), 502, {"outcome": "refused", "code": "X", "message": "no"}),
        (
            InvalidArguments((ArgumentProblem("/q", "is missing"),)),
            422,
            {
                "outcome": "invalid_arguments",
                "message": "The arguments do not fit the tool's schema.",
                "problems": [{"pointer": "/q", "message": "is missing"}],
            },
        ),
        (
            TimedOut(2.5),
            504,
            {"outcome": "timed_out", "message": "No answer within 2.5 s. The call may have run.", "after_s": 2.5},
        ),
        (
            DeviceGone("pixel"),
            503,
            {
                "outcome": "device_gone",
                "message": "pixel left before it answered. The call may have run.",
                "device": "pixel",
            },
        ),
        (Cancelled(), 503, {"outcome": "cancelled", "message": "The call was stopped. It may have run."}),
    ],
)
async def test_an_outcome_has_its_status_and_body(
    tmp_path: Path, outcome: Outcome, status: int, body: dict[str, Any]
) -> None:
    async with whole(tmp_path, parts=says(outcome)) as running, rest(running) as http:
        answer = await call(http)
    assert (answer.status_code, answer.json()) == (status, body)


async def test_an_unknown_tool_is_404_with_the_nearest_names(tmp_path: Path) -> None:
    async with whole(tmp_path, parts=says(Answered(""))) as running, rest(running) as http:
        answer = await call(http, "treid")
    assert answer.status_code == 404
    assert (answer.json()["outcome"], answer.json()["nearest"]) == ("unknown_tool", ["tried"])
    assert "tried" in answer.json()["message"]


async def test_arguments_are_checked_before_anybody_is_asked(tmp_path: Path) -> None:
    asked: list[Arguments] = []

    async def execute(arguments: Arguments, _: CallContext) -> Outcome:
        asked.append(arguments)
        return Answered("ok")

    tool = Tool(execute, {"type": "object", "properties": {"q": {"type": "integer"}}, "required": ["q"]})
    async with whole(tmp_path, parts=Parts(tools=[tool])) as running, rest(running) as http:
        answer = await call(http, arguments={"q": "x"})
        assert answer.status_code == 422
        assert answer.json()["problems"][0]["pointer"] == "/q"
        assert asked == []
        huge = 2**80
        assert (await call(http, arguments={"q": huge})).status_code == 200
    assert asked == [{"q": huge}]


async def test_a_call_reaches_a_phone_and_brings_back_its_words(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, rest(running) as http, chat(running) as phone:
        await register(phone, "notes__find")
        calling = asyncio.create_task(call(http, "notes__find", arguments={"q": "boiler"}))
        request = (await until(phone, "tool_call_request"))[-1]
        assert (request["name"], request["args"]) == ("notes__find", {"q": "boiler"})
        await send(phone, type="tool_result", id=request["id"], output='{"items":[]}', success=True)
        answer = await calling
    assert (answer.status_code, answer.json()) == (200, {"outcome": "answered", "output": '{"items":[]}'})


async def test_a_phone_that_leaves_fails_the_call_as_device_gone(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, rest(running) as http, chat(running) as phone:
        await register(phone, "notes__find")
        calling = asyncio.create_task(call(http, "notes__find"))
        await until(phone, "tool_call_request")
        await phone.close()
        answer = await calling
        assert (answer.status_code, answer.json()["outcome"]) == (503, "device_gone")
        assert (await call(http, "notes__find")).status_code == 404


async def test_a_phone_that_does_not_answer_times_out_as_asked(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, rest(running) as http, chat(running) as phone:
        await register(phone, "notes__find")
        answer = await call(http, "notes__find", timeout_ms=50)
    assert (answer.status_code, answer.json()["outcome"]) == (504, "timed_out")


async def test_the_gateways_own_limit_holds_when_nothing_is_said(tmp_path: Path) -> None:
    chosen = open_settings(limits={"tool_timeout_s": 0.05})
    async with whole(tmp_path, settings=chosen) as running, rest(running) as http, chat(running) as phone:
        await register(phone, "notes__find")
        assert (await call(http, "notes__find")).status_code == 504
        answer = await call(http, "notes__find", timeout_ms=51)
    assert answer.status_code == 400
    assert answer.json()["error"] == "timeout_ms: at most 50 (limits.tool_timeout_s)."


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b"{", "JSON"),
        (b"[]", "array"),
        (b'{"arguments":[]}', "arguments"),
        (b'{"timeout_ms":0}', "timeout_ms"),
        (b'{"timeout_ms":1.5}', "timeout_ms"),
        (b'{"arguments":{"a":' + b"[" * 20_000 + b"]" * 20_000 + b"}}", "deep"),
        (b'{"arguments":{"a":"' + b"x" * 65_536 + b'"}}', "limits.body_bytes"),
    ],
)
async def test_a_bad_request_says_where(tmp_path: Path, body: bytes, place: str) -> None:
    async with whole(tmp_path, parts=says(Answered(""))) as running, rest(running) as http:
        answer = await http.post("/api/tools/tried/call", content=body)
        assert answer.status_code == (413 if b"x" * 9 in body else 400)
        assert place in answer.json()["error"]
        assert (await http.post("/api/tools/tried/call", content=b"")).status_code == 200


async def test_a_token_is_needed_before_anything_is_read(tmp_path: Path) -> None:
    async with entered(tmp_path, parts=says(Answered(""))) as gateway:
        answer = await gateway.bare("POST", "/api/tools/tried/call", content=b"{")
        assert answer.status_code == 401
        assert (await call(gateway.http)).status_code == 200


async def test_tools_that_come_and_go_are_seen_by_the_next_call(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, rest(running) as http:
        assert (await call(http, "late")).status_code == 404
        async with chat(running) as phone:
            await register(phone, "late")
            assert (await call(http, "late", timeout_ms=20)).status_code == 504
        running.runtime.registry.add(saying(Answered("here")))
        assert (await call(http)).json()["output"] == "here"


async def test_a_client_that_leaves_cancels_its_call(tmp_path: Path) -> None:
    started, cancelled = asyncio.Event(), asyncio.Event()

    async def execute(_: Arguments, __: CallContext) -> Outcome:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        raise AssertionError("nobody sets that event")

    async with whole(tmp_path, parts=Parts(tools=[Tool(execute)])) as running:
        async with rest(running) as http:
            calling = asyncio.create_task(call(http))
            async with asyncio.timeout(10):
                await started.wait()
            calling.cancel()
            await asyncio.wait((calling,))
        async with asyncio.timeout(10):
            await cancelled.wait()


async def test_every_call_has_an_id_of_its_own(tmp_path: Path) -> None:
    seen: list[str] = []

    async def execute(_: Arguments, context: CallContext) -> Outcome:
        seen.append(context.call_id)
        return Answered("")

    async with whole(tmp_path, parts=Parts(tools=[Tool(execute)])) as running, rest(running) as http:
        await asyncio.gather(*(call(http) for _ in range(20)))
    assert len(set(seen)) == 20


async def test_the_answer_is_the_outcome_that_the_description_promises(tmp_path: Path) -> None:
    async with whole(tmp_path, parts=says(Answered("x" * 1_000_000))) as running, rest(running) as http:
        answer = await call(http)
        described = (await http.get("/openapi.json")).json()
    assert msgspec.json.decode(answer.content)["output"] == "x" * 1_000_000
    promised = described["paths"]["/api/tools/{name}/call"]["post"]["responses"]
    assert {"200", "400", "401", "403", "404", "413", "422", "424", "429", "502", "503", "504"} <= set(promised)
