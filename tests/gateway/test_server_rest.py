"""The REST routes that clients read: their fields, their refusals, and what a bad request is told."""

import stat
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from cetp_gateway.api import ModelRequest
from cetp_gateway.errors import ModelFailed, ModelFailure
from cetp_gateway.testing import Hold, ScriptedModel, ScriptedStep
from support.entered import Entered, entered
from support.tool_hosts import Phone, a_tool
from support.whole import chat, open_settings, register, rest, send, until, whole


@pytest.fixture
async def gateway(tmp_path: Path) -> AsyncIterator[Entered]:
    async with entered(tmp_path) as running:
        yield running


def files_of(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


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
    chef = {"name": "Küchen chef", "prompt": "You cook.", "description": "cooks"}
    answer = await http.put(path, json={"prompt": "You cook.", "description": "cooks"})
    assert (answer.status_code, answer.json()) == (200, chef)
    assert await get(http, path) == chef
    assert await get(http, "/api/personas") == {"personas": [chef]}
    assert (await http.delete(path)).json() == {"deleted": True, "name": "Küchen chef"}
    assert (await http.delete(path)).status_code == 404
    for bad in ("%0A", "%2E%20%2E", "x" * 65, "a%3Cb"):
        assert (await http.put(f"/api/personas/{bad}", json={"prompt": "x"})).status_code == 400, bad
    assert (await http.put(path, json={"prompt": ""})).status_code == 400


async def test_personality_files_are_written_kept_and_removed(gateway: Entered, tmp_path: Path) -> None:
    http = gateway.http
    assert await get(http, "/api/personality") == {"files": {}}
    answer = await http.put("/api/personality", json={"files": {"SOUL.md": "kind", "USER.md": "Ada"}})
    assert answer.json() == {"files": {"SOUL.md": "kind", "USER.md": "Ada"}}
    answer = await http.put("/api/personality", json={"files": {"USER.md": ""}})
    assert answer.json() == {"files": {"SOUL.md": "kind"}}
    file = tmp_path / "personality" / "SOUL.md"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert await get(http, "/api/personality") == {"files": {"SOUL.md": "kind"}}


@pytest.mark.parametrize("name", ["../cetp.db", "SOUL", "a/b.md", ".md", "x.md\n", "\u0000.md", "x" * 65 + ".md"])
async def test_a_personality_file_of_another_name_is_refused(gateway: Entered, tmp_path: Path, name: str) -> None:
    before = files_of(tmp_path)
    answer = await gateway.http.put("/api/personality", json={"files": {"OK.md": "x", name: "x"}})
    assert answer.status_code == 400
    assert "files" in answer.json()["error"]
    assert files_of(tmp_path) == before


async def test_links_in_the_data_folder_are_not_followed(gateway: Entered, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("hidden")
    for folder in ("personality", "skills/mail", "skills"):
        (tmp_path / folder).mkdir(exist_ok=True, parents=True)
    (tmp_path / "personality" / "SOUL.md").symlink_to(secret)
    (tmp_path / "skills" / "mail" / "SKILL.md").symlink_to(secret)
    (tmp_path / "skills" / "away").symlink_to(tmp_path / "personality")
    assert await get(gateway.http, "/api/personality") == {"files": {}}
    assert await get(gateway.http, "/api/skills") == {"skills": []}
    assert (await gateway.http.get("/api/skills/mail")).status_code == 404
    assert (await gateway.http.put("/api/skills/away", json={"content": "x"})).status_code == 409
    await gateway.http.put("/api/personality", json={"files": {"SOUL.md": "mine"}})
    assert secret.read_text() == "hidden"


async def test_a_skill_is_written_listed_and_read(gateway: Entered) -> None:
    text = "---\nname: mail\ndescription: Writes mail\n---\n# Mail\nBe brief."
    answer = await gateway.http.put("/api/skills/mail", json={"content": text})
    assert answer.json() == {"name": "mail", "description": "Writes mail", "content": text}
    await gateway.http.put("/api/skills/plain", json={"content": "# Plain\n\nJust do it.\n"})
    assert await get(gateway.http, "/api/skills") == {
        "skills": [
            {"name": "mail", "description": "Writes mail"},
            {"name": "plain", "description": "Just do it."},
        ]
    }
    assert (await gateway.http.post("/api/skills/reload")).json() == {"skills_count": 2}
    assert (await get(gateway.http, "/api/skills/mail"))["content"] == text
    assert (await gateway.http.get("/api/skills/none")).status_code == 404
    assert (await gateway.http.put("/api/skills/a.b", json={"content": "x"})).status_code == 400


async def test_the_settings_are_shown_masked_and_kept_when_sent_back(gateway: Entered, tmp_path: Path) -> None:
    file = tmp_path / "cetp.toml"
    stored = '# mine\n[model]\napi_key = "sk-secret"\nprovider = "openai"\n'
    file.write_text(stored)
    shown = (await get(gateway.http, "/api/config"))["content"]
    assert shown == stored.replace("sk-secret", "***MASKED***")
    changed = shown.replace("openai", "ollama")
    answer = await gateway.http.put("/api/config", content=changed, headers={"Content-Type": "text/plain"})
    assert answer.status_code == 200
    assert answer.json()["restart_required"] is True
    assert file.read_text() == stored.replace("openai", "ollama")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_settings_that_could_not_start_are_refused_and_change_nothing(gateway: Entered, tmp_path: Path) -> None:
    file = tmp_path / "cetp.toml"
    file.write_text("[server]\nport = 1\n")
    for text, names in (("[server]\nprot = 2", "server.prot"), ("[server]\nport = -1", "server.port"), ("[x", "line")):
        answer = await gateway.http.put("/api/config", content=text)
        assert answer.status_code == 400
        assert names in answer.json()["error"]
    assert (await gateway.http.put("/api/config", content=b"\xff")).status_code == 400
    assert file.read_text() == "[server]\nport = 1\n"
    assert [path for path in files_of(tmp_path) if path.name.startswith(".")] == []


async def test_settings_without_a_file_are_empty_and_can_be_written(gateway: Entered, tmp_path: Path) -> None:
    assert await get(gateway.http, "/api/config") == {"content": ""}
    large = "[server]\nport = 1\n" + "# a comment\n" * 10_000
    assert (await gateway.http.put("/api/config", content=large)).status_code == 200
    assert (tmp_path / "cetp.toml").read_text() == large
    answer = await gateway.http.put("/api/config", content="#" * (1024 * 1024 + 1))
    assert answer.status_code == 413
    assert "limits.config_bytes" in answer.json()["error"]


async def test_a_settings_file_that_cannot_be_masked_is_not_shown(gateway: Entered, tmp_path: Path) -> None:
    (tmp_path / "cetp.toml").write_text('[model\napi_key = "sk-secret"')
    answer = await gateway.http.get("/api/config")
    assert answer.status_code == 409
    assert "sk-secret" not in answer.text
    assert "line 1" in answer.json()["error"]


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


async def test_an_unknown_path_is_404_and_a_wrong_method_says_which_are_right(gateway: Entered) -> None:
    answer = await gateway.http.post("/api/no-such-call", json={})
    assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")
    answer = await gateway.http.post("/api/config", json={})
    assert (answer.status_code, answer.json()["code"]) == (405, "METHOD_NOT_ALLOWED")
    assert answer.headers["allow"] == "GET, HEAD, PUT"
    assert (await gateway.http.get("/api/tools/x/call")).headers["allow"] == "POST"
    assert (await gateway.http.get("/api/sessions/")).status_code == 404


async def test_head_is_get_without_its_body(gateway: Entered) -> None:
    answer = await gateway.http.head("/api/status")
    assert (answer.status_code, answer.content) == (200, b"")


async def test_a_body_over_the_limit_is_413_and_names_it(gateway: Entered) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b"x" * 1024

    for content in (b"x" * 65_537, chunks()):
        answer = await gateway.http.post("/webhook", content=content)
        assert answer.status_code == 413
        assert "65536 bytes (limits.body_bytes)" in answer.json()["error"]
    assert (await gateway.http.get("/api/status")).status_code == 200


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b"{oops", "byte 1"),
        (b"\xff", "byte 0"),
        (b'{"name":"\xff"}', "JSON"),
        (b'{"name":', "JSON"),
        (b"[]", "array"),
        (b'{"name":7}', "name"),
        (b"{}", "name"),
        (b"", "name"),
        (b'{"other":' + b"[" * 20_000, "deep"),
        (b'{"other":' + b"[" * 20_000 + b"]" * 20_000 + b"}", "deep"),
    ],
)
async def test_a_bad_body_is_400_and_says_where(gateway: Entered, body: bytes, place: str) -> None:
    answer = await gateway.http.put("/api/sessions/x", content=body)
    assert answer.status_code == 400
    assert place in answer.json()["error"]


async def test_an_unusable_parameter_is_named(gateway: Entered) -> None:
    answer = await gateway.http.get("/api/tools?quarantined=perhaps")
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("quarantined")


async def test_a_broken_disk_is_503_and_ends_nothing(gateway: Entered) -> None:
    await gateway.runtime.database.read(lambda connection: connection.execute("PRAGMA query_only=ON"))
    answer = await gateway.http.put("/api/personas/x", json={"prompt": "x"})
    assert (answer.status_code, answer.json()["code"]) == (503, "STORAGE_ERROR")
    assert (await gateway.http.get("/api/personas")).status_code == 200


async def test_a_failure_of_ours_is_500_without_detail(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    class Broken(ScriptedModel):
        async def models(self) -> list[str]:
            raise RuntimeError("secret detail")

    async with whole(tmp_path, Broken([])) as running, rest(running) as http:
        answer = await http.get("/api/provider/models")
        assert (answer.status_code, answer.json()["code"]) == (500, "INTERNAL_ERROR")
        assert "secret" not in answer.text
    assert "secret detail" in caplog.text


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
