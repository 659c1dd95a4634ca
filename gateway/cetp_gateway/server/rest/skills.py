"""`/api/skills`: instructions for special work, one folder each, `skills/NAME/SKILL.md`.

Above: table. Below: skills, which finds and reads them; text_files, which writes.
"""

import asyncio
import shutil
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from cetp_gateway.errors import StorageError
from cetp_gateway.server.requests.errors import HttpError
from cetp_gateway.server.rest.routes import Asked, Parameter, Route, matching
from cetp_gateway.server.rest.text_files import write_text
from cetp_gateway.skills import SKILL_FILE, BrokenSkill, describe
from cetp_gateway.skills import Skill as KnownSkill

_NAME_PATTERN = "[A-Za-z0-9_-]{1,64}"


class SkillRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """A skill in the list."""

    name: str
    description: str
    note: str = ""
    """What is wrong with it without being in the way."""


class Skill(msgspec.Struct, frozen=True, omit_defaults=True):
    """A skill with its whole text."""

    name: str
    description: str
    content: str
    files: tuple[str, ...] = ()
    """Paths of its further files within it."""


class SkillText(msgspec.Struct, frozen=True):
    """What a skill says, in Markdown; a `description:` line in front matter is shown in the list."""

    content: Annotated[str, Meta(min_length=1)]


class Skills(msgspec.Struct, frozen=True, omit_defaults=True):
    """All skills, by name."""

    skills: list[SkillRow]
    broken: tuple[BrokenSkill, ...] = ()
    """Those that cannot be used, and why."""


class SkillCount(msgspec.Struct, frozen=True):
    """How many skills were found."""

    skills_count: int


class SkillDeleted(msgspec.Struct, frozen=True):
    """A skill is gone, with all files of its folder."""

    deleted: bool
    name: str


async def show_all(asked: Asked[None]) -> Skills:
    shelf = await asked.service.runtime.skills.shelf()
    return Skills([SkillRow(skill.name, skill.description, skill.note) for skill in shelf.skills], shelf.broken)


async def reload(asked: Asked[None]) -> SkillCount:
    """Skills that have changed are read anew each time, so there is only counting to do."""
    return SkillCount(len((await show_all(asked)).skills))


async def show(asked: Asked[None]) -> Skill:
    name, skills = asked.parameters["name"], asked.service.runtime.skills
    shelf = await skills.shelf()
    broken = next((one for one in shelf.broken if one.name == name), None)
    if broken is not None and shelf.find(name) is None:
        raise StorageError(f"The skill {name} cannot be used: {broken.problem}")
    content = await skills.read(name)
    if content is None:
        raise HttpError(404, f"There is no skill {name}.")
    return Skill(name, describe(content), content, tuple(await skills.files(name)))


async def write(asked: Asked[SkillText]) -> Skill:
    name, content = asked.parameters["name"], asked.body.content
    await asyncio.to_thread(write_text, _own_folder(asked) / SKILL_FILE, content)
    return Skill(name, describe(content), content)


async def delete(asked: Asked[None]) -> SkillDeleted:
    name = asked.parameters["name"]
    folder = _own_folder(asked)
    if not folder.is_dir():
        known: KnownSkill | None = (await asked.service.runtime.skills.shelf()).find(name)
        if known is not None:
            raise HttpError(409, f"The skill {name} lies in a folder of skills.folders; remove it there.")
        raise HttpError(404, f"There is no skill {name}.")
    try:
        await asyncio.to_thread(shutil.rmtree, folder)
    except OSError as error:
        raise StorageError(f"{name} cannot be removed: {error.strerror}.") from error
    return SkillDeleted(True, name)


def _own_folder(asked: Asked[Any]) -> Path:
    """Of a skill in the data folder, which need not exist."""
    folder: Path = asked.service.runtime.skills.folder / asked.parameters["name"]
    if folder.is_symlink() or folder.parent.is_symlink():
        raise HttpError(409, f"{folder.name} is a link to somewhere else; it is left alone.")
    return folder


_NAME_PARAMETER = Parameter(name="name", where="path", type=Annotated[str, matching(_NAME_PATTERN)])

ROUTES = (
    Route(
        method="GET",
        path="/api/skills",
        summary="All skills, and those that cannot be used",
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
    Route(
        method="DELETE",
        path="/api/skills/{name}",
        summary="Remove a skill with all its files",
        handler=delete,
        parameters=(_NAME_PARAMETER,),
        responses={200: SkillDeleted},
        refusals=(404, 409, 503),
    ),
)
