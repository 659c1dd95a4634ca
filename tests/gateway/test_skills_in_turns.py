"""Skills and personas in turns: listed in the prompt, read with a tool, and what a persona's sessions may use."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from cetp_gateway.api import ToolUse
from cetp_gateway.assemble import Runtime, assemble
from cetp_gateway.settings import Settings
from cetp_gateway.testing import ScriptedModel, ScriptedStep
from support.entered import Entered, entered


def put(folder: Path, path: str, content: str) -> None:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content)


async def ask(runtime: Runtime, session_id: str = "s") -> str:
    closing = await runtime.conversations.ask(
        session_id, "write to Ada", view=runtime.registry.view, emit=lambda event: None
    )
    return str(getattr(closing, "text", closing))


def settings(**sections: Any) -> Settings:
    return msgspec.convert({"sessions": {"titles": False}, "memory": {"backend": "none"}, **sections}, Settings)


def loads(**arguments: str) -> ScriptedStep:
    return ScriptedStep(calls=(ToolUse("c1", "load_skill", arguments),))


async def test_skills_are_listed_in_the_prompt_and_read_with_a_tool(tmp_path: Path) -> None:
    put(tmp_path, "skills/mail/SKILL.md", "---\nname: mail\ndescription: How to write mail\n---\nSign with Captain.")
    put(tmp_path, "skills/mail/letter.md", "Dear {name}")
    model = ScriptedModel(
        [
            loads(name="mail"),
            loads(name="mail", file="letter.md"),
            loads(name="mial"),
            ScriptedStep(text="done"),
        ]
    )
    async with assemble(settings(), data_folder=tmp_path, config_file=tmp_path / "x.toml", model=model) as runtime:
        assert await ask(runtime) == "done"
    assert "- mail: How to write mail" in model.requests[0].system
    assert "Sign with Captain." not in model.requests[0].system
    results = [str(request.messages[-1]) for request in model.requests[1:]]
    assert "Sign with Captain." in results[0]
    assert "letter.md" in results[0]
    assert "<tool_output" not in results[0]
    assert "Dear {name}" in results[1]
    assert "mail" in results[2]


async def test_without_the_tool_or_a_budget_no_skills_are_listed(tmp_path: Path) -> None:
    put(tmp_path, "skills/mail/SKILL.md", "How to write mail")
    for sections in ({"builtin": {"disabled": ["load_skill"]}}, {"skills": {"prompt_tokens": 0}}):
        model = ScriptedModel([ScriptedStep(text="ok")])
        async with assemble(
            settings(**sections), data_folder=tmp_path, config_file=tmp_path / "x.toml", model=model
        ) as runtime:
            await ask(runtime)
        assert "How to write mail" not in model.requests[0].system


async def test_a_persona_is_a_file_that_is_listed_and_used(tmp_path: Path) -> None:
    put(tmp_path, "personas/chef.md", "---\ndescription: kitchen\ndenied: 'web_*'\n---\nYou cook.")
    put(tmp_path, "personas/pilot/PERSONA.md", "You fly.")
    put(tmp_path, "personas/broken.md", "---\nallowed: 3\n---\nText")
    model = ScriptedModel([ScriptedStep(text="ok"), ScriptedStep(text="ok")])
    async with assemble(settings(), data_folder=tmp_path, config_file=tmp_path / "x.toml", model=model) as runtime:
        assert [persona.name for persona in await runtime.personas.list()] == ["chef", "pilot"]
        assert [broken.name for broken in await runtime.personas.broken()] == ["broken"]
        await runtime.sessions.open("kitchen", persona="chef")
        await ask(runtime, "kitchen")
        await ask(runtime, "plain")
    chef, plain = model.requests
    assert "You cook." in chef.system
    assert "This session has chef." in chef.system
    assert "chef (kitchen); pilot" in plain.system
    assert "You cook." not in plain.system
    assert {tool.name for tool in plain.tools} - {tool.name for tool in chef.tools} == {"web_open", "web_fetch"}


async def test_personas_of_the_database_come_before_files_and_hold_their_tools(tmp_path: Path) -> None:
    put(tmp_path, "personas/chef.md", "You cook by file.")
    async with entered(tmp_path) as gateway:
        listed = await gateway.http.get("/api/personas/chef")
        assert listed.json()["prompt"] == "You cook by file."
        assert (await gateway.http.delete("/api/personas/chef")).status_code == 409
        body = {"prompt": "You cook.", "allowed": ["notes__*"], "denied": ["notes__delete"]}
        assert (await gateway.http.put("/api/personas/chef", json=body)).status_code == 200
        shown = (await gateway.http.get("/api/personas/chef")).json()
        assert shown == {"name": "chef", "description": "", **body}
        assert (await gateway.http.delete("/api/personas/chef")).status_code == 200
        assert (await gateway.http.get("/api/personas/chef")).json()["prompt"] == "You cook by file."


@pytest.fixture
async def with_skills(tmp_path: Path) -> Any:
    put(tmp_path, "skills/mail/SKILL.md", "Be brief.")
    put(tmp_path, "skills/mail/letter.md", "Dear")
    put(tmp_path, "skills/bad/SKILL.md", "---\nname")
    put(tmp_path, "more/trips/SKILL.md", "Plans trips.")
    async with entered(tmp_path, skills={"folders": ["more"]}) as gateway:
        yield gateway


async def test_rest_shows_files_and_what_is_broken_and_removes_a_skill(with_skills: Entered, tmp_path: Path) -> None:
    http = with_skills.http
    listed = (await http.get("/api/skills")).json()
    assert [skill["name"] for skill in listed["skills"]] == ["mail", "trips"]
    assert [broken["name"] for broken in listed["broken"]] == ["bad"]
    assert (await http.get("/api/skills/mail")).json()["files"] == ["letter.md"]
    assert (await http.get("/api/skills/bad")).status_code == 503
    assert (await http.delete("/api/skills/mail")).json() == {"deleted": True, "name": "mail"}
    assert not (tmp_path / "skills" / "mail").exists()
    assert (await http.delete("/api/skills/mail")).status_code == 404
    assert (await http.delete("/api/skills/trips")).status_code == 409
    assert (await http.delete("/api/skills/bad")).status_code == 200
    assert (await http.get("/api/skills")).json() == {"skills": [{"name": "trips", "description": "Plans trips."}]}


async def test_a_link_in_the_place_of_a_skill_is_not_removed(with_skills: Entered, tmp_path: Path) -> None:
    (tmp_path / "skills" / "away").symlink_to(tmp_path / "more" / "trips")
    assert (await with_skills.http.delete("/api/skills/away")).status_code == 409
    assert (tmp_path / "more" / "trips" / "SKILL.md").exists()
