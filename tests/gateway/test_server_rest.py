"""Health, status, tools, models and metrics over REST: the fields that clients read."""

from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from cetp_gateway.errors import ModelFailed, ModelFailure
from cetp_gateway.testing import Hold, ScriptedModel, ScriptedStep
from support.entered import Entered, entered
from support.tool_hosts import Phone, a_tool
from support.whole import chat, register, rest, send, until, whole


@pytest.fixture
async def gateway(tmp_path: Path) -> AsyncIterator[Entered]:
    async with entered(tmp_path) as running:
        yield running


async def get(http: httpx.AsyncClient, path: str) -> Any:
    answer = await http.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_health_in_short_says_nothing_that_a_stranger_may_not_know(gateway: Entered) -> None:
    body = (await gateway.bare("GET", "/health")).json()
    assert set(body) == {"status", "version", "paired", "require_pairing", "runtime"}
    assert (body["status"], body["paired"], body["require_pairing"]) == ("ok", True, True)


async def test_status_has_the_fields_that_clients_read(gateway: Entered) -> None:
    body = await get(gateway.http, "/api/status")
    assert (body["provider"], body["model"], body["paired"]) == ("scripted", "script", True)
    assert isinstance(body["temperature"], float)
    assert body["gateway_port"] == gateway.running.port
    assert set(body["memory"]) == {
        "backend",
        "embedding_provider",
        "embedding_model",
        "embedding_dims",
        "search_mode",
        "count",
    }


async def test_tools_are_listed_with_what_became_of_them(gateway: Entered) -> None:
    gateway.runtime.registry.offer(
        Phone("p"), [a_tool("notes__search"), a_tool("bad schema", {"type": 3}), a_tool("has space")], replace=True
    )
    body = await get(gateway.http, "/api/tools")
    rows = {row["wire_name"]: row for row in body["tools"]}
    assert set(rows) == {"notes__search", "has space"}
    assert (rows["notes__search"]["state"], rows["has space"]["state"]) == ("accepted", "renamed")
    assert rows["notes__search"]["source_type"] == "remote"
    assert body["revision"] == gateway.runtime.registry.revision
    held = (await get(gateway.http, "/api/tools?quarantined=1"))["tools"]
    assert [(row["wire_name"], row["state"], bool(row["reason"])) for row in held] == [
        ("bad schema", "quarantined", True)
    ]


async def test_health_tells_model_devices_tools_and_turns(tmp_path: Path) -> None:
    hold = Hold()
    model = ScriptedModel([ScriptedStep(text="hm", hold=hold)])
    async with (
        whole(tmp_path, model) as running,
        rest(running) as http,
        chat(running) as phone,
    ):
        body = await get(http, "/api/health")
        assert (body["status"], body["model"]["state"]) == ("ok", "unknown")
        await register(phone, "a", "b")
        await send(phone, type="message", content="hello")
        await hold.reached.wait()
        await send(phone, type="message", content="and again")
        await send(phone, type="get_registered_tools")
        await until(phone, "registered_tools")
        body = await get(http, "/api/health")
        (device,) = body["devices"]
        assert device["session_id"] == "s"
        assert device["silent_s"] < 60
        assert (device["open_calls"], device["pending_messages"]) == (0, 0)
        assert body["tools"] == {"accepted": 2, "quarantined": 0, "revision": running.runtime.registry.revision}
        assert body["turns"] == {"running": 1, "waiting": 1}
        hold.released.set()
        await until(phone, "done")
        assert (await get(http, "/api/health"))["model"]["state"] == "reachable"


async def test_health_tells_that_the_model_fails_until_it_answers_again(tmp_path: Path) -> None:
    broken = ModelFailed(ModelFailure.UNREACHABLE, "The vendor does not answer.")
    model = ScriptedModel([ScriptedStep(fails=broken), ScriptedStep(text="back")])
    async with whole(tmp_path, model) as running, rest(running) as http, chat(running) as phone:
        await send(phone, type="message", content="hello")
        await until(phone, "error")
        body = await get(http, "/api/health")
        assert (body["status"], body["model"]["state"]) == ("degraded", "failing")
        assert body["model"]["error"] == "The vendor does not answer."
        await send(phone, type="message", content="hello")
        await until(phone, "done")
        assert (await get(http, "/api/health"))["status"] == "ok"


async def test_a_probe_asks_the_models_side_now(tmp_path: Path) -> None:
    async with whole(tmp_path) as running, rest(running) as http:
        body = await get(http, "/api/health?probe=true")
        assert body["model"]["state"] == "reachable"
        assert datetime.fromisoformat(body["model"]["checked_at"]).tzinfo is not None


async def test_models_are_listed_in_openais_form(gateway: Entered) -> None:
    body = await get(gateway.http, "/api/provider/models")
    assert body["object"] == "list"
    assert body["data"][0] == {"id": "script", "owned_by": "scripted", "object": "model"}


async def test_models_that_cannot_be_listed_are_502_with_the_reason(tmp_path: Path) -> None:
    class Silent(ScriptedModel):
        async def models(self) -> list[str]:
            raise ModelFailed(ModelFailure.AUTH, "The key is not accepted.")

    async with whole(tmp_path, Silent([])) as running, rest(running) as http:
        answer = await http.get("/api/provider/models")
        assert answer.status_code == 502
        assert answer.json() == {"error": "The key is not accepted.", "code": "AUTH_ERROR"}


async def test_metrics_are_prometheus_text(gateway: Entered) -> None:
    gateway.runtime.registry.offer(Phone("p"), [a_tool("a"), a_tool("b", {"type": 3})], replace=True)
    await gateway.http.post("/api/tools/none/call", json={})
    answer = await gateway.http.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = answer.text.splitlines()
    for line in (
        'cetp_tools{state="accepted"} 1.0',
        'cetp_tools{state="quarantined"} 1.0',
        'cetp_rest_calls_total{outcome="unknown_tool"} 1.0',
        "cetp_devices_paired 1.0",
        "cetp_devices_connected 0.0",
        'cetp_model_state{state="unknown"} 1.0',
    ):
        assert line in lines
    assert any(line.startswith("process_resident_memory_bytes ") for line in lines)
