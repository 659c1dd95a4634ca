"""`/api/skills`: instructions for special work, one folder each, `skills/NAME/SKILL.md`."""

import asyncio
import re
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from cetp_gateway.server.errors import HttpError
from cetp_gateway.server.routes import Asked, Parameter, Route, matching
from cetp_gateway.server.text_files import read_text, read_usable, write_text

FOLDER = "skills"
FILE = "SKILL.md"
_NAME_PATTERN = "[A-Za-z0-9_-]{1,64}"
_NAME = re.compile(_NAME_PATTERN)
_DESCRIPTION = re.compile(r"^description:\s*(.+)$", re.MULTILINE)
_SKILLS = 256
_DESCRIPTION_CHARS = 300


class SkillRow(msgspec.Struct, frozen=True):
    """A skill in the list."""

    name: str
    description: str


class Skill(msgspec.Struct, frozen=True):
    """A skill with its whole text."""

    name: str
    description: str
    content: str


class SkillText(msgspec.Struct, frozen=True):
    """What a skill says, in Markdown; a `description:` line in front matter is shown in the list."""

    content: Annotated[str, Meta(min_length=1)]


class Skills(msgspec.Struct, frozen=True):
    """All skills, by name."""

    skills: list[SkillRow]


class SkillCount(msgspec.Struct, frozen=True):
    """How many skills were found."""

    skills_count: int


async def show_all(asked: Asked[None]) -> Skills:
    return Skills(await asyncio.to_thread(_list, _folder(asked), _limit(asked)))


async def reload(asked: Asked[None]) -> SkillCount:
    """Skills are read from disk each time, so there is only counting to do."""
    return SkillCount(len((await show_all(asked)).skills))


async def show(asked: Asked[None]) -> Skill:
    name = asked.parameters["name"]
    content = await asyncio.to_thread(read_text, _folder(asked) / name / FILE, _limit(asked))
    if content is None:
        raise HttpError(404, f"There is no skill {name}.")
    return Skill(name, describe(content), content)


async def write(asked: Asked[SkillText]) -> Skill:
    name, content = asked.parameters["name"], asked.body.content
    folder = _folder(asked)
    if (folder / name).is_symlink():
        raise HttpError(409, f"{name} is a link to somewhere else; it is not written to.")
    await asyncio.to_thread(write_text, folder / name / FILE, content)
    return Skill(name, describe(content), content)


def describe(content: str) -> str:
    """The `description:` of the front matter, else the first line that is no heading."""
    head = content[3:].partition("\n---")[0] if content.startswith("---") else ""
    found = _DESCRIPTION.search(head)
    if found:
        return found[1].strip("\"' ")[:_DESCRIPTION_CHARS]
    body = content.removeprefix("---" + head).removeprefix("\n---") if head else content
    lines = (line.strip() for line in body.splitlines())
    return next((line for line in lines if line and not line.startswith("#")), "")[:_DESCRIPTION_CHARS]


def _folder(asked: Asked[Any]) -> Path:
    return asked.service.runtime.data_folder / FOLDER


def _limit(asked: Asked[Any]) -> int:
    return asked.service.runtime.settings.limits.body_bytes


def _list(folder: Path, limit: int) -> list[SkillRow]:
    if not folder.is_dir():
        return []
    names = sorted(path.name for path in folder.iterdir() if _NAME.fullmatch(path.name) and not path.is_symlink())
    texts = ((name, read_usable(folder / name / FILE, limit)) for name in names[:_SKILLS])
    return [SkillRow(name, describe(text)) for name, text in texts if text is not None]


_NAME_PARAMETER = Parameter(name="name", where="path", type=Annotated[str, matching(_NAME_PATTERN)])

ROUTES = (
    Route(
        method="GET",
        path="/api/skills",
        summary="All skills",
        handler=show_all,
        responses={200: Skills},
        refusals=(503,),
    ),
    Route(
        method="POST",
        path="/api/skills/reload",
        summary="Read the skills again",
        handler=reload,
        responses={200: SkillCount},
        refusals=(503,),
    ),
    Route(
        method="GET",
        path="/api/skills/{name}",
        summary="One skill with its text",
        handler=show,
        parameters=(_NAME_PARAMETER,),
        responses={200: Skill},
        refusals=(404, 503),
    ),
    Route(
        method="PUT",
        path="/api/skills/{name}",
        summary="Create a skill or replace its text",
        handler=write,
        parameters=(_NAME_PARAMETER,),
        request=SkillText,
        responses={200: Skill},
        refusals=(409, 503),
    ),
)
