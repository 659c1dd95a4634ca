"""Sessions and personas over REST."""

from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from cetp_gateway.api import ModelRequest
from cetp_gateway.testing import Hold, ScriptedModel, ScriptedStep
from support.entered import Entered, entered
from support.whole import chat, open_settings, rest, send, until, whole


@pytest.fixture
async def gateway(tmp_path: Path) -> AsyncIterator[Entered]:
    async with entered(tmp_path) as running:
        yield running


async def get(http: httpx.AsyncClient, path: str) -> Any:
    answer = await http.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_session_is_listed_renamed_read_and_deleted(tmp_path: Path) -> None:
    async with (
        whole(tmp_path, [ScriptedStep(text="hello there")]) as running,
        rest(running) as http,
        chat(running, "trip") as phone,
    ):
        await send(phone, type="message", content="good day")
        await until(phone, "done")
        (row,) = (await get(http, "/api/sessions"))["sessions"]
        assert (row["session_id"], row["message_count"]) == ("trip", 2)
        assert "persona" not in row
        for moment in (row["created_at"], row["last_activity"]):
            assert datetime.fromisoformat(moment).tzinfo is not None
        body = await get(http, "/api/sessions/trip/messages")
        assert (body["session_id"], body["session_persistence"]) == ("trip", True)
        assert [message["role"] for message in body["messages"]] == ["user", "assistant"]
        answer = await http.put("/api/sessions/trip", json={"name": " Küche 2 "})
        assert (answer.status_code, answer.json()) == (200, {"session_id": "trip", "name": "Küche 2"})
        assert (await get(http, "/api/sessions"))["sessions"][0]["name"] == "Küche 2"
        answer = await http.delete("/api/sessions/trip")
        assert (answer.status_code, answer.json()) == (200, {"deleted": True, "session_id": "trip"})
        assert (await http.delete("/api/sessions/trip")).status_code == 404
        assert (await get(http, "/api/sessions"))["sessions"] == []


async def test_what_is_asked_of_an_unknown_session_is_told_so(gateway: Entered) -> None:
    http = gateway.http
    assert (await get(http, "/api/sessions/none/messages"))["messages"] == []
    assert (await http.post("/api/sessions/none/abort")).json() == {"status": "no_active_response"}
    for answer in (
        await http.put("/api/sessions/none", json={"name": "x"}),
        await http.delete("/api/sessions/none"),
        await http.get("/api/sessions/none/state"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "UNKNOWN_SESSION")


async def test_a_session_id_outside_the_alphabet_is_refused_by_name(gateway: Entered) -> None:
    for bad in ("a%20b", "a%0A", "%C3%A9", "x" * 129, "%2E%2E"):
        answer = await gateway.http.get(f"/api/sessions/{bad}/messages")
        assert answer.status_code == 400, bad
        assert answer.json()["error"].startswith("id")


async def test_a_running_turn_shows_and_is_stopped(tmp_path: Path) -> None:
    hold = Hold()
    async with (
        whole(tmp_path, [ScriptedStep(text="one", hold=hold)]) as running,
        rest(running) as http,
        chat(running) as phone,
    ):
        await send(phone, type="message", content="hello")
        await hold.reached.wait()
        assert (await get(http, "/api/sessions/running"))["sessions"] == ["s"]
        assert (await get(http, "/api/sessions/s/state"))["state"] == "running"
        assert (await http.post("/api/sessions/s/abort", json={})).json() == {"status": "aborted"}
        await until(phone, "aborted")
        assert (await get(http, "/api/sessions/s/state"))["state"] == "idle"


async def test_deleting_a_session_stops_its_turn_and_keeps_it_away(tmp_path: Path) -> None:
    hold = Hold()
    async with (
        whole(tmp_path, [ScriptedStep(text="one", hold=hold)]) as running,
        rest(running) as http,
        chat(running) as phone,
    ):
        await send(phone, type="message", content="hello")
        await hold.reached.wait()
        assert (await http.delete("/api/sessions/s")).status_code == 200
        await until(phone, "aborted")
        assert (await get(http, "/api/sessions"))["sessions"] == []


async def test_a_persona_is_written_read_listed_and_removed(gateway: Entered) -> None:
    http, path = gateway.http, "/api/personas/K%C3%BCchen%20chef"
    assert (await http.get(path)).status_code == 404
    chef = {"name": "Küchen chef", "prompt": "You cook.", "description": "cooks", "allowed": ["*"], "denied": []}
    answer = await http.put(path, json={"prompt": "You cook.", "description": "cooks"})
    assert (answer.status_code, answer.json()) == (200, chef)
    assert await get(http, path) == chef
    assert await get(http, "/api/personas") == {"personas": [chef]}
    assert (await http.delete(path)).json() == {"deleted": True, "name": "Küchen chef"}
    assert (await http.delete(path)).status_code == 404
    for bad in ("%0A", "%2E%20%2E", "x" * 65, "a%3Cb"):
        assert (await http.put(f"/api/personas/{bad}", json={"prompt": "x"})).status_code == 400, bad
    assert (await http.put(path, json={"prompt": ""})).status_code == 400


async def test_requests_are_answered_while_a_turn_runs(tmp_path: Path) -> None:
    asked: list[ModelRequest] = []
    hold = Hold()

    def step(request: ModelRequest) -> ScriptedStep:
        asked.append(request)
        return ScriptedStep(text="x", hold=hold)

    async with (
        whole(tmp_path, ScriptedModel([step]), settings=open_settings()) as running,
        rest(running) as http,
        chat(running) as phone,
    ):
        await send(phone, type="message", content="hello")
        await hold.reached.wait()
        assert (await get(http, "/health"))["status"] == "ok"
        hold.released.set()
        assert (await until(phone, "done"))[-1]["full_response"] == "x"
        assert len(asked) == 1
