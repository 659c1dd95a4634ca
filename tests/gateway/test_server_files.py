"""Personality, skills and settings over REST: files of the data folder, and what may not become one."""

import stat
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.entered import Entered, entered


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
    listed = await get(gateway.http, "/api/skills")
    assert listed["skills"] == []
    assert "links are not followed" in listed["broken"][0]["problem"]
    assert (await gateway.http.get("/api/skills/mail")).status_code == 503
    assert (await gateway.http.get("/api/skills/away")).status_code == 404
    assert (await gateway.http.put("/api/skills/away", json={"content": "x"})).status_code == 409
    await gateway.http.put("/api/personality", json={"files": {"SOUL.md": "mine"}})
    assert secret.read_text() == "hidden"


async def test_a_file_that_cannot_be_read_costs_only_itself(gateway: Entered, tmp_path: Path) -> None:
    for name, content in (("good", b"# Good\nWorks."), ("binary", b"\xff\xfe"), ("huge", b"x" * 65_537)):
        (tmp_path / "skills" / name).mkdir(parents=True)
        (tmp_path / "skills" / name / "SKILL.md").write_bytes(content)
    assert [skill["name"] for skill in (await get(gateway.http, "/api/skills"))["skills"]] == ["good"]
    answer = await gateway.http.get("/api/skills/binary")
    assert (answer.status_code, answer.json()["code"]) == (503, "STORAGE_ERROR")
    assert "UTF-8" in answer.json()["error"]


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


async def test_settings_behind_the_owners_link_are_read_and_written_there(gateway: Entered, tmp_path: Path) -> None:
    stored = '[model]\napi_key = "sk-secret"\n'
    (tmp_path / "elsewhere.toml").write_text(stored)
    (tmp_path / "cetp.toml").symlink_to(tmp_path / "elsewhere.toml")
    shown = (await get(gateway.http, "/api/config"))["content"]
    assert (await gateway.http.put("/api/config", content=f"# seen\n{shown}")).status_code == 200
    assert (tmp_path / "elsewhere.toml").read_text() == f"# seen\n{stored}"
    assert (tmp_path / "cetp.toml").is_symlink()


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
