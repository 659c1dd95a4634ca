"""Skills as files: what a SKILL.md may say, what is told of a broken one, and what never leaves its folder."""

import contextlib
import os
from itertools import pairwise
from pathlib import Path

import pytest

from cetp_gateway.errors import StorageError
from cetp_gateway.settings import SkillSettings
from cetp_gateway.skills import Skills, prompt_list


def put(folder: Path, name: str, content: str | bytes, file: str = "SKILL.md") -> Path:
    path = folder / name / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def skills(folder: Path, **settings: object) -> Skills:
    chosen = SkillSettings(**settings)  # type: ignore[arg-type]
    return Skills(folder / "skills", lambda: chosen)


async def described(folder: Path, content: str) -> tuple[str, str]:
    """Description and note of one skill with this text."""
    put(folder / "skills", "mail", content)
    skill = (await skills(folder).shelf()).find("mail")
    assert skill is not None
    return skill.description, skill.note


@pytest.mark.parametrize(
    ("content", "description"),
    [
        ("---\nname: mail\ndescription: Writes mail\n---\nBe brief.", "Writes mail"),
        ("---\r\nname: mail\r\ndescription: Writes mail\r\n---\r\nBe brief.", "Writes mail"),
        ("\ufeff---\nname: mail\ndescription: >\n  Writes\n  mail\n---\n", "Writes mail"),
        ("---\nname: mail\ndescription: 'It: writes'\nlicense: MIT\nmetadata:\n  author: me\n---\n", "It: writes"),
        ("# Mail\n\nBe brief.\nAlways.", "Be brief."),
        ("---\nname: mail\ndescription: 写邮件\nallowed-tools: Bash(git:*) Read\n---\n", "写邮件"),
    ],
)
async def test_the_form_of_agent_skills_is_read(tmp_path: Path, content: str, description: str) -> None:
    assert await described(tmp_path, content) == (description, "")


async def test_a_value_that_yaml_wants_in_quotes_is_taken_and_told_of(tmp_path: Path) -> None:
    said, note = await described(tmp_path, "---\nname: mail\ndescription: Use when: mail is written\n---\n")
    assert said == "Use when: mail is written"
    assert note.startswith("line 3 is no YAML")


async def test_a_skill_goes_by_its_folders_name(tmp_path: Path) -> None:
    assert "goes by its folder's name" in (await described(tmp_path, "---\nname: post\ndescription: x\n---\n"))[1]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("---\nname: x\ndescription: y\n", "no --- at its end"),
        ("---\n- a\n- b\n---\nText", "lines of `name: value`"),
        ("---\nname: [a\ndescription: b\n  c: d\n---\nText", "line"),
        ("---\na: &a [x, x]\n!!python/object/apply:os.system ['true']: x\n---\nText", "YAML"),
        ("---\nname: x\n---\n", "says nothing"),
        ("", "says nothing"),
        (b"\xff\xfe\x00", "no UTF-8"),
        ("x" * 2000, "more than 1024 bytes"),
        ("---\n" + "a: b\n" * 5000 + "---\n", "more than 1024 bytes"),
    ],
)
async def test_a_broken_skill_is_told_of_and_costs_no_other(tmp_path: Path, content: str | bytes, problem: str) -> None:
    folder = tmp_path / "skills"
    put(folder, "bad", content)
    put(folder, "good", "Works.")
    put(folder, "not a name", "Works.")
    shelf = await skills(tmp_path, file_bytes=1024).shelf()
    assert [skill.name for skill in shelf.skills] == ["good"]
    told = {broken.name: broken.problem for broken in shelf.broken}
    assert problem in told["bad"]
    assert "A-Z" in told["not a name"]


async def test_a_bomb_of_references_in_front_matter_stays_small(tmp_path: Path) -> None:
    layers = "".join(f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in pairwise("abcdefg"))
    said, _ = await described(tmp_path, f"---\na: &a [x]\n{layers}description: Still small\n---\n")
    assert said == "Still small"


async def test_a_skill_that_changes_is_read_anew_and_one_that_goes_is_gone(tmp_path: Path) -> None:
    file = put(tmp_path / "skills", "mail", "One.")
    shelf = skills(tmp_path)
    assert (await shelf.names()) == [("mail", "One.")]
    file.write_text("Another.")
    assert (await shelf.names()) == [("mail", "Another.")]
    file.unlink()
    assert (await shelf.names()) == []


async def test_further_folders_come_behind_the_owners_own_and_say_when_they_are_missing(tmp_path: Path) -> None:
    other = tmp_path / "claude" / "skills"
    put(tmp_path / "skills", "mail", "Mine.")
    put(other, "mail", "Theirs.")
    put(other, "trips", "Plans trips.")
    (other / "linked").symlink_to(put(tmp_path / "repository", "linked", "By a link.").parent)
    shelf = await skills(tmp_path, folders=(str(other), "nowhere")).shelf()
    assert {skill.name: skill.description for skill in shelf.skills} == {
        "linked": "By a link.",
        "mail": "Mine.",
        "trips": "Plans trips.",
    }
    assert {broken.name for broken in shelf.broken} == {"mail", "nowhere"}


async def test_files_of_a_skill_are_listed_and_read(tmp_path: Path) -> None:
    folder = tmp_path / "skills"
    put(folder, "mail", "Works.")
    put(folder, "mail", "Dear …", "references/letter.md")
    put(folder, "mail", "hidden", ".git/config")
    shelf = skills(tmp_path)
    assert await shelf.files("mail") == ["references/letter.md"]
    assert await shelf.read_file("mail", "references/letter.md") == "Dear …"
    assert await shelf.read_file("mail", "./references/letter.md") == "Dear …"
    assert await shelf.read_file("mail", "references") is None
    assert await shelf.read_file("mail", "none.md") is None
    assert await shelf.read_file("none", "SKILL.md") is None


@pytest.mark.parametrize(
    "path", ["../secret", "/etc/passwd", "references/../../secret", "out", "out/secret", "", "a\0b", "p/" * 20, "pipe"]
)
async def test_no_path_leaves_the_skill(tmp_path: Path, path: str) -> None:
    (tmp_path / "skills" / "secret").parent.mkdir(parents=True)
    (tmp_path / "skills" / "secret").write_text("hidden")
    folder = put(tmp_path / "skills", "mail", "Works.").parent
    (folder / "references").mkdir()
    (folder / "out").symlink_to(tmp_path / "skills")
    os.mkfifo(folder / "pipe")
    with contextlib.suppress(StorageError):
        assert await skills(tmp_path).read_file("mail", path) is None


async def test_the_list_for_the_prompt_keeps_within_its_budget(tmp_path: Path) -> None:
    for number in range(60):
        put(tmp_path / "skills", f"skill-{number:02}", f"---\ndescription: {'words ' * 60}\n---\n")
    found = (await skills(tmp_path).shelf()).skills
    for tokens in (100_000, 3000, 800, 300, 100):
        text = prompt_list(found, tokens)
        assert len(text) <= 4 * tokens + 80
        assert "load_skill" in text
    assert "words words" in prompt_list(found, 100_000)
    assert "skill-59" in prompt_list(found, 300)
    assert "more; load_skill without a name lists them all" in prompt_list(found, 100)
    assert prompt_list(found, 0) == prompt_list((), 1000) == ""
