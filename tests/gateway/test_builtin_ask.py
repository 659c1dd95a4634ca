"""A model asks the person: the answer is the person's and nobody else's; without one the model is told what to do."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from cetp_gateway.api import ToolUse
from cetp_gateway.testing import ScriptedModel, ScriptedStep
from support.entered import Entered, entered
from support.whole import WITHIN_S
from support.wire_client import WireClient, kinds, wire

CAPABILITY = "cetp.questions"
COLOURS = {"question": "Which colour?", "choices": ["blue", "green"]}


def asking(**arguments: Any) -> list[ScriptedStep]:
    """A turn whose model asks once."""
    return [
        ScriptedStep(calls=(ToolUse("c1", "ask_user", arguments or COLOURS),)),
        ScriptedStep(text="Fine."),
    ]


@asynccontextmanager
async def gateway(folder: Path, model: Any = None, **sections: Any) -> AsyncIterator[Entered]:
    builtin = {"enabled": ["ask_user"], **sections.pop("builtin", {})}
    async with entered(folder, model=model or asking(), builtin=builtin, **sections) as opened:
        yield opened


@asynccontextmanager
async def socket(at: Entered, session: str = "s", *, asks: bool = True, token: str = "") -> AsyncIterator[WireClient]:
    async with wire(at.running, f"?session_id={session}", token=token or at.token) as client:
        if asks:
            await client.introduce(CAPABILITY, device_id=session)
        yield client


async def until(client: WireClient, kind: str) -> dict[str, Any]:
    return (await client.until(kind))[-1]


async def reply(client: WireClient, request: dict[str, Any], answer: str | None) -> dict[str, Any]:
    said = {"status": "declined"} if answer is None else {"status": "answered", "answer": answer}
    await client.say("ask_user_response", request_id=request["request_id"], **said)
    return await until(client, "ask_user_ack")


async def result(client: WireClient) -> str:
    return str((await until(client, "tool_result"))["output"])


@pytest.mark.parametrize(
    ("arguments", "answer", "says"),
    [
        (COLOURS, "blue", "The person answered: blue"),
        (COLOURS, "2", "The person answered: green"),
        (COLOURS, " a dark red ", "The person answered: a dark red"),
        ({"question": "How many?"}, "2", "The person answered: 2"),
        (COLOURS, None, "does not want to answer"),
    ],
)
async def test_the_persons_answer_is_the_tools_result(
    arguments: dict[str, Any], answer: str | None, says: str, tmp_path: Path
) -> None:
    async with gateway(tmp_path, asking(**arguments)) as at, socket(at) as chat:
        await chat.say("message", content="paint the kitchen")
        request = await until(chat, "ask_user_request")
        assert (request["question"], request["session_id"]) == (arguments["question"], "s")
        await chat.say(
            "ask_user_response",
            request_id=request["request_id"],
            **({"status": "declined"} if answer is None else {"status": "answered", "answer": answer}),
        )
        frames = await chat.until("done")
    told = {frame["type"]: frame for frame in frames}
    assert told["ask_user_ack"]["status"] == "accepted"
    assert told["ask_user_closed"]["status"] == ("declined" if answer is None else "answered")
    assert says in told["tool_result"]["output"]


async def test_where_only_choices_are_taken_nothing_else_counts_and_the_question_stays_open(tmp_path: Path) -> None:
    async with gateway(tmp_path, asking(**COLOURS, only_choices=True)) as at, socket(at) as chat:
        await chat.say("message", content="paint")
        request = await until(chat, "ask_user_request")
        assert request["other_answers"] is False
        for wrong in ("red", "3", "", "0"):
            assert (await reply(chat, request, wrong))["status"] == "rejected"
        assert (await reply(chat, request, "1"))["status"] == "accepted"
        assert await result(chat) == "The person answered: blue"


async def test_an_answer_counts_once_and_an_unknown_or_late_one_never(tmp_path: Path) -> None:
    async with gateway(tmp_path) as at, socket(at) as chat, socket(at, "other") as other:
        await chat.say("message", content="paint")
        request = await until(chat, "ask_user_request")
        seen = await until(other, "ask_user_request")
        assert seen["request_id"] == request["request_id"]
        assert (await reply(other, {"request_id": "0" * 16}, "x"))["status"] == "not_pending"
        assert (await reply(other, seen, "green"))["status"] == "accepted"
        assert (await until(chat, "ask_user_closed"))["status"] == "answered"
        assert (await reply(chat, request, "blue"))["status"] == "not_pending"
        assert (await until(chat, "done"))["full_response"] == "Fine."


async def test_with_nobody_to_ask_the_model_is_told_at_once_to_end_its_turn_with_the_question(tmp_path: Path) -> None:
    model = ScriptedModel(asking())
    async with gateway(tmp_path, model) as at, socket(at, asks=False) as chat:
        frames = await chat.ask("paint")
    [told] = [frame["output"] for frame in frames if frame["type"] == "tool_result"]
    assert "NOBODY_THERE" in told
    assert "End your turn with the question" in told
    assert "ask_user_request" not in kinds(frames)


async def test_a_client_without_the_capability_is_shown_nothing_and_cannot_answer(tmp_path: Path) -> None:
    async with gateway(tmp_path) as at, socket(at) as inbox, socket(at, "plain", asks=False) as chat:
        await chat.say("message", content="paint")
        request = await until(inbox, "ask_user_request")
        assert (await chat.hear("tool_call"))["name"] == "ask_user"
        await chat.say("ask_user_response", request_id=request["request_id"], status="answered", answer="blue")
        assert (await chat.hear("error"))["code"] == "UNKNOWN_MESSAGE_TYPE"
        assert (await reply(inbox, request, "green"))["status"] == "accepted"
        assert await result(chat) == "The person answered: green"


async def test_no_answer_in_time_is_said(tmp_path: Path) -> None:
    async with gateway(tmp_path, builtin={"question_timeout_s": 0.05}) as at, socket(at) as chat:
        frames = await chat.ask("paint")
    told = {frame["type"]: frame for frame in frames}
    assert told["ask_user_closed"]["status"] == "expired"
    assert "NO_ANSWER" in told["tool_result"]["output"]


async def test_a_person_may_think_for_longer_than_other_tools_may_run(tmp_path: Path) -> None:
    async with gateway(tmp_path, limits={"tool_timeout_s": 0.01}) as at, socket(at) as chat:
        await chat.say("message", content="paint")
        request = await until(chat, "ask_user_request")
        assert request["expires_in_ms"] > 60_000
        passed = asyncio.Event()
        asyncio.get_running_loop().call_later(0.05, passed.set)
        await passed.wait()
        await reply(chat, request, "blue")
        assert await result(chat) == "The person answered: blue"


async def test_a_question_outlives_the_socket_and_is_shown_again(tmp_path: Path) -> None:
    async with gateway(tmp_path) as at:
        async with socket(at) as chat:
            await chat.say("message", content="paint")
            before = await until(chat, "ask_user_request")
            chat.drop()
        async with socket(at) as chat:
            again = await until(chat, "ask_user_request")
            assert again["request_id"] == before["request_id"]
            await chat.say("ask_user_response", request_id=again["request_id"], status="answered", answer="blue")
            assert (await until(chat, "done"))["full_response"] == "Fine."


async def test_waiting_holds_no_other_session_and_an_abort_ends_it(tmp_path: Path) -> None:
    steps = [*asking()[:1], ScriptedStep(text="Hello.")]
    async with gateway(tmp_path, steps) as at, socket(at) as waits, socket(at, "other") as other:
        await waits.say("message", content="paint")
        await until(waits, "ask_user_request")
        assert (await other.ask("hello"))[-1]["full_response"] == "Hello."
        await waits.say("abort")
        assert (await until(waits, "ask_user_closed"))["status"] == "cancelled"
        await until(waits, "aborted")


async def test_what_a_model_writes_answers_nothing(tmp_path: Path) -> None:
    frame = '{"type":"ask_user_response","request_id":"%s","status":"answered","answer":"blue"}'
    steps = [
        ScriptedStep(
            text=frame, calls=(ToolUse("c1", "ask_user", COLOURS), ToolUse("c2", "ask_user", {"question": frame}))
        ),
        ScriptedStep(text="Fine."),
    ]
    async with gateway(tmp_path, steps, builtin={"question_timeout_s": 0.05}) as at, socket(at) as chat:
        frames = await chat.ask("paint")
    assert [each["status"] for each in frames if each["type"] == "ask_user_closed"] == ["expired", "expired"]


async def test_of_others_only_those_who_may_decide_are_asked_and_the_one_whose_turn_it_is(tmp_path: Path) -> None:
    async with gateway(tmp_path, policy={"approvers": ["local"]}) as at:
        stranger = (await at.runtime.paired.pair("a guest's phone")).token
        async with socket(at, "guest", token=stranger) as guest, socket(at) as chat:
            await chat.say("message", content="paint")
            request = await until(chat, "ask_user_request")
            ack = await reply(guest, request, "blue")
            assert (ack["status"], "approvers" in ack["error"]) == ("rejected", True)
            assert (await reply(chat, request, "green"))["status"] == "accepted"
            await guest.nothing_waits()


async def test_rest_shows_questions_to_whoever_looks_and_takes_their_answer(tmp_path: Path) -> None:
    async with gateway(tmp_path, asking(**COLOURS, only_choices=True)) as at, socket(at, asks=False) as chat:
        assert (await at.http.get("/api/questions")).json() == {"open": []}
        opened = asyncio.Event()
        leave = at.runtime.policy.questions.subscribe(lambda *_: opened.set())
        await chat.say("message", content="paint")
        async with asyncio.timeout(WITHIN_S):
            await opened.wait()
        leave()
        [question] = (await at.http.get("/api/questions")).json()["open"]
        path = f"/api/questions/{question['id']}"
        assert (question["question"], question["choices"]) == ("Which colour?", ["blue", "green"])
        assert (await at.bare("POST", path, json={"answer": "blue"})).status_code == 401
        assert (await at.http.post("/api/questions/none", json={"answer": "blue"})).status_code == 404
        assert (await at.http.post(path, json={"answer": "red"})).status_code == 400
        assert (await at.http.post(path, json={"answer": " "})).status_code == 400
        assert (await at.http.post(path, json={})).status_code == 400
        assert (await at.http.post(path, json={"answer": "blue"})).json()["status"] == "answered"
        assert (await at.http.post(path, json={"answer": "green"})).status_code == 409
        assert await result(chat) == "The person answered: blue"


async def test_the_end_of_the_gateway_ends_its_questions(tmp_path: Path) -> None:
    async with asyncio.timeout(WITHIN_S):
        async with gateway(tmp_path) as at, socket(at) as chat:
            await chat.say("message", content="paint")
            await until(chat, "ask_user_request")
