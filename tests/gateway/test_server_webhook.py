"""`POST /webhook`: one question, one answer; sessions, keys, failures, and no phone's tools."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from cetp_gateway.errors import ModelFailed, ModelFailure
from cetp_gateway.testing import Hold, ScriptedModel, ScriptedStep
from support.entered import entered
from support.tool_hosts import Phone, a_tool
from support.whole import chat, open_settings, register, rest, whole


async def ask(http: httpx.AsyncClient, message: str = "hello", **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return await http.post("/webhook", json={"message": message}, headers=named)


async def messages(http: httpx.AsyncClient, session: str) -> list[dict[str, Any]]:
    body: dict[str, list[dict[str, Any]]] = (await http.get(f"/api/sessions/{session}/messages")).json()
    return body["messages"]


async def test_a_question_that_stands_alone_leaves_no_session(tmp_path: Path) -> None:
    async with whole(tmp_path, [ScriptedStep(text="hooked")]) as running, rest(running) as http:
        answer = await ask(http)
        assert (answer.status_code, answer.json()) == (
            200,
            {"response": "hooked", "model": "script", "session_id": None},
        )
        assert (await http.get("/api/sessions")).json() == {"sessions": []}


async def test_a_question_joins_the_session_it_names_and_reads_its_history(tmp_path: Path) -> None:
    model = ScriptedModel([ScriptedStep(text="one"), ScriptedStep(text="two")])
    async with whole(tmp_path, model) as running, rest(running) as http:
        assert (await ask(http, "first", X_Session_Id="s")).json()["session_id"] == "s"
        assert (await ask(http, "second", X_Session_Id="s")).json()["response"] == "two"
        assert [message["role"] for message in await messages(http, "s")] == ["user", "assistant"] * 2
    assert len(model.requests[1].messages) == 3


@pytest.mark.parametrize("session_id", ["not/allowed", "a b", "..", "x" * 129, "é"])
async def test_a_session_id_outside_the_alphabet_is_refused(tmp_path: Path, session_id: str) -> None:
    async with whole(tmp_path) as running, rest(running) as http:
        answer = await http.post(
            "/webhook", json={"message": "m"}, headers=[(b"X-Session-Id", session_id.encode("latin-1"))]
        )
        assert answer.status_code == 400
        assert "X-Session-Id" in answer.json()["error"]


async def test_no_phones_tool_is_offered(tmp_path: Path) -> None:
    model = ScriptedModel([ScriptedStep(text="ok")])
    async with whole(tmp_path, model) as running, rest(running) as http, chat(running, "s") as phone:
        await register(phone, "private")
        running.runtime.registry.offer(Phone("shared phone"), [a_tool("shared")], replace=True)
        assert (await ask(http, X_Session_Id="s")).status_code == 200
    assert list(model.requests[0].tools) == []


async def test_a_key_is_answered_once(tmp_path: Path) -> None:
    model = ScriptedModel([ScriptedStep(text="once")])
    async with whole(tmp_path, model) as running, rest(running) as http:
        assert (await ask(http, X_Idempotency_Key="k")).json()["response"] == "once"
        again = await ask(http, X_Idempotency_Key="k")
    assert (again.status_code, again.json()["status"], again.json()["idempotent"]) == (200, "duplicate", True)
    assert len(model.requests) == 1


async def test_a_failed_run_leaves_its_key_free(tmp_path: Path) -> None:
    broken = ModelFailed(ModelFailure.OVERLOADED, "The vendor is overloaded.")
    model = ScriptedModel([ScriptedStep(fails=broken), ScriptedStep(text="now")])
    async with whole(tmp_path, model) as running, rest(running) as http:
        failed = await ask(http, X_Idempotency_Key="k")
        assert (failed.status_code, failed.json()) == (
            500,
            {"error": "The vendor is overloaded.", "code": "PROVIDER_ERROR"},
        )
        assert (await ask(http, X_Idempotency_Key="k")).json()["response"] == "now"


async def test_a_second_request_while_the_first_runs_is_told_to_wait(tmp_path: Path) -> None:
    hold = Hold()
    async with whole(tmp_path, [ScriptedStep(text="slow", hold=hold)]) as running, rest(running) as http:
        first = asyncio.create_task(ask(http, X_Idempotency_Key="k"))
        await hold.reached.wait()
        assert (await ask(http, X_Idempotency_Key="k")).status_code == 409
        hold.released.set()
        assert (await first).json()["response"] == "slow"


async def test_keys_of_two_devices_do_not_meet(tmp_path: Path) -> None:
    steps = [ScriptedStep(text="for one"), ScriptedStep(text="for the other")]
    async with entered(tmp_path, model=steps) as gateway:
        assert (await ask(gateway.http, X_Idempotency_Key="k")).json()["response"] == "for one"
        other = (await gateway.runtime.paired.pair("other")).token
        answer = await ask(gateway.http, X_Idempotency_Key="k", Authorization=f"Bearer {other}")
        assert answer.json()["response"] == "for the other"


async def test_turns_of_one_session_stand_in_line_and_a_full_line_is_409(tmp_path: Path) -> None:
    hold = Hold()
    chosen = open_settings(limits={"turns_per_session": 1})
    steps = [ScriptedStep(text="slow", hold=hold)]
    async with whole(tmp_path, steps, settings=chosen) as running, rest(running) as http:
        first = asyncio.create_task(ask(http, X_Session_Id="s"))
        await hold.reached.wait()
        busy = await ask(http, X_Session_Id="s")
        assert (busy.status_code, busy.json()["code"]) == (409, "SESSION_BUSY")
        hold.released.set()
        assert (await first).status_code == 200


async def test_an_aborted_turn_is_told_so(tmp_path: Path) -> None:
    hold = Hold()
    async with whole(tmp_path, [ScriptedStep(text="slow", hold=hold)]) as running, rest(running) as http:
        asking = asyncio.create_task(ask(http, X_Session_Id="s"))
        await hold.reached.wait()
        await http.post("/api/sessions/s/abort")
        answer = await asking
        assert (answer.status_code, answer.json()["code"]) == (409, "ABORTED")


async def test_a_turn_goes_on_when_its_client_leaves(tmp_path: Path) -> None:
    hold = Hold()
    async with whole(tmp_path, [ScriptedStep(text="slow", hold=hold)]) as running:
        async with rest(running) as http:
            asking = asyncio.create_task(ask(http, X_Session_Id="s", X_Idempotency_Key="k"))
            await hold.reached.wait()
            asking.cancel()
            await asyncio.wait((asking,))
        hold.released.set()
        async with rest(running) as http, asyncio.timeout(10):
            while (await ask(http, X_Idempotency_Key="k")).status_code == 409:
                pass
            assert [message["content"] for message in await messages(http, "s")][1] == "slow"


async def test_the_persona_of_the_header_wins_and_stays(tmp_path: Path) -> None:
    model = ScriptedModel([ScriptedStep(text="1"), ScriptedStep(text="2")])
    async with whole(tmp_path, model) as running, rest(running) as http:
        for name in ("chef", "pirate"):
            await http.put(f"/api/personas/{name}", json={"prompt": f"You are a {name}."})
        body = {"message": "m", "persona": "pirate"}
        await http.post("/webhook", json=body, headers={"X-Persona": "chef", "X-Session-Id": "s"})
        await http.post("/webhook", json=body, headers={"X-Session-Id": "s"})
    assert all("You are a chef." in request.system for request in model.requests)


@pytest.mark.parametrize(
    ("body", "status", "place"),
    [
        (b"{oops", 400, "JSON"),
        (b'{"text":"no message"}', 400, "message"),
        (b'{"message":"  "}', 400, "message"),
        (b'{"message":7}', 400, "message"),
        (b'{"message":"123456789"}', 413, "limits.message_chars"),
    ],
)
async def test_a_bad_message_is_refused_by_name(tmp_path: Path, body: bytes, status: int, place: str) -> None:
    chosen = open_settings(limits={"message_chars": 8})
    async with whole(tmp_path, settings=chosen) as running, rest(running) as http:
        answer = await http.post("/webhook", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == status
        assert place in answer.json()["error"]


async def test_who_asks_too_often_is_told_how_long_to_wait(tmp_path: Path) -> None:
    settings = open_settings(limits={"webhooks_per_minute": 2})
    async with whole(tmp_path, [ScriptedStep(text="ok")] * 2, settings=settings) as running, rest(running) as http:
        assert [(await ask(http)).status_code for _ in range(2)] == [200, 200]
        refused = await ask(http)
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert "limits.webhooks_per_minute" in refused.json()["error"]


async def test_a_repeated_key_costs_no_place_in_the_minute(tmp_path: Path) -> None:
    hold = Hold()
    chosen = open_settings(limits={"webhooks_per_minute": 2})
    steps = [ScriptedStep(text="once", hold=hold), ScriptedStep(text="another")]
    async with whole(tmp_path, steps, settings=chosen) as running, rest(running) as http:
        first = asyncio.create_task(ask(http, X_Idempotency_Key="k"))
        await hold.reached.wait()
        assert [(await ask(http, X_Idempotency_Key="k")).status_code for _ in range(3)] == [409] * 3
        hold.released.set()
        await first
        assert [(await ask(http, X_Idempotency_Key="k")).json()["status"] for _ in range(3)] == ["duplicate"] * 3
        assert (await ask(http, X_Idempotency_Key="other")).json()["response"] == "another"
        assert (await ask(http)).status_code == 429


async def test_a_secret_is_wanted_besides_the_token_when_there_is_one(tmp_path: Path) -> None:
    server = {"webhook_secret": "a secret of the owner's"}
    limits = {"webhooks_per_minute": 4}
    async with entered(tmp_path, model=[ScriptedStep(text="in")], server=server, limits=limits) as gateway:
        without = await ask(gateway.http)
        wrong = await ask(gateway.http, X_Webhook_Secret="a guess")
        right = await ask(gateway.http, X_Webhook_Secret="a secret of the owner's")
        bare = await gateway.bare(
            "POST", "/webhook", json={"message": "m"}, headers={"X-Webhook-Secret": server["webhook_secret"]}
        )
        shown = (await gateway.http.get("/api/config")).text
        # Guesses count.
        await ask(gateway.http, X_Webhook_Secret="another guess")
        assert (await ask(gateway.http, X_Webhook_Secret="one more")).status_code == 429

    assert [answer.status_code for answer in (without, wrong, right, bare)] == [401, 401, 200, 401]
    assert "server.webhook_secret" in without.json()["error"]
    assert server["webhook_secret"] not in shown


async def test_the_words_of_a_webhook_are_no_persons_own(tmp_path: Path) -> None:
    async with whole(tmp_path, [ScriptedStep(text="ok")]) as running, rest(running) as http:
        await ask(http, "a stranger's words", X_Session_Id="s")
        assert await running.runtime.sessions.said("s") == ""
