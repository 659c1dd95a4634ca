"""All skills, from the data folder and from further folders of the owner's; read from disk when they have changed.

Every method does its file work in a thread. A skill that cannot be used is told of and costs no other. Above:
`assemble`, the server. Below: `skill`, `beneath`.
"""

import asyncio
import os
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from cetp_gateway.errors import StorageError
from cetp_gateway.settings import SkillSettings
from cetp_gateway.skills.beneath import files_beneath, read_beneath
from cetp_gateway.skills.skill import BrokenSkill, Skill, skill_of

SKILL_FILE: Final = "SKILL.md"
NAME: Final = re.compile("[A-Za-z0-9_-]{1,64}")
MOST: Final = 256
"""Skills that are looked at, all folders together."""
MOST_FILES: Final = 100
"""Of one skill that are listed."""

_Stamp = tuple[int, int, int]


class Shelf(msgspec.Struct, frozen=True):
    """What there is, by name."""

    skills: tuple[Skill, ...]
    broken: tuple[BrokenSkill, ...]

    def find(self, name: str) -> Skill | None:
        return next((skill for skill in self.skills if skill.name == name), None)


class Skills:
    """See the module.

    Args:
        folder: of the owner's own skills; need not exist.
        settings: those in force, asked each time.
    """

    def __init__(self, folder: Path, settings: Callable[[], SkillSettings]) -> None:
        self.folder = folder
        self._settings = settings
        self._known: dict[Path, tuple[_Stamp, Skill | BrokenSkill]] = {}
        self._lock = threading.Lock()

    async def shelf(self) -> Shelf:
        """All of them; costs a look at each file's time when nothing has changed."""
        return await asyncio.to_thread(self._look)

    async def names(self) -> list[tuple[str, str]]:
        """Name and description of each that can be used, by name."""
        return [(skill.name, skill.description) for skill in (await self.shelf()).skills]

    async def read(self, name: str) -> str | None:
        """The whole SKILL.md; None when there is no such skill. Raises StorageError."""
        return await self.read_file(name, SKILL_FILE)

    async def read_file(self, name: str, path: str) -> str | None:
        """A file of a skill by its path within it; None when there is none. Raises StorageError."""
        skill = (await self.shelf()).find(name)
        if skill is None:
            return None
        return await asyncio.to_thread(read_beneath, skill.folder, path, self._settings().file_bytes)

    async def files(self, name: str) -> list[str]:
        """Paths of a skill's files within it, besides SKILL.md; 100 at most."""
        skill = (await self.shelf()).find(name)
        if skill is None:
            return []
        paths = await asyncio.to_thread(lambda: list(files_beneath(skill.folder, MOST_FILES)))
        return [path for path in paths if path != SKILL_FILE]

    def _look(self) -> Shelf:
        settings = self._settings()
        with self._lock:
            found: dict[str, Skill | BrokenSkill] = {}
            problems: list[BrokenSkill] = []
            for folder, own in self._folders(settings, problems):
                for one in self._in(folder, settings.file_bytes, own=own):
                    if one.name in found:
                        problems.append(BrokenSkill(one.name, f"{folder} has it too; the one found first is used"))
                    elif len(found) < MOST:
                        found[one.name] = one
                    else:
                        problems.append(BrokenSkill(one.name, f"more than {MOST} skills are not looked at"))
                        break
        ordered = [found[name] for name in sorted(found)]
        return Shelf(
            tuple(one for one in ordered if isinstance(one, Skill)),
            (*(one for one in ordered if isinstance(one, BrokenSkill)), *problems),
        )

    def _folders(self, settings: SkillSettings, problems: list[BrokenSkill]) -> Iterator[tuple[Path, bool]]:
        yield self.folder, True
        for written in settings.folders:
            folder = self.folder.parent / Path(written).expanduser()
            if folder.is_dir():
                yield folder, False
            else:
                problems.append(BrokenSkill(written, "skills.folders: there is no such folder"))

    def _in(self, folder: Path, limit: int, *, own: bool) -> Iterator[Skill | BrokenSkill]:
        """The skills of a folder. In the data folder, whose names come by REST too, links are not followed."""
        try:
            names = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=not own))
        except FileNotFoundError:
            return
        except OSError as error:
            yield BrokenSkill(folder.name, f"the folder cannot be read ({error.strerror})")
            return
        for name in names:
            one = self._one(folder / name, limit, own=own)
            if one is not None:
                yield one

    def _one(self, folder: Path, limit: int, *, own: bool) -> Skill | BrokenSkill | None:
        """What is known of it, or what its file says now; None when it is no skill."""
        try:
            found = (folder / SKILL_FILE).lstat()
        except OSError:
            return None
        stamp = (found.st_mtime_ns, found.st_size, limit)
        known = self._known.get(folder)
        if known is not None and known[0] == stamp:
            return known[1]
        one = _read(folder, limit, own=own)
        self._known[folder] = (stamp, one)
        return one


def _read(folder: Path, limit: int, *, own: bool) -> Skill | BrokenSkill:
    if not NAME.fullmatch(folder.name):
        return BrokenSkill(folder.name[:64], "its folder's name should be 1 to 64 of A-Z a-z 0-9 _ -")
    try:
        content = read_beneath(folder, SKILL_FILE, limit)
    except StorageError as error:
        return BrokenSkill(folder.name, error.message)
    if content is None:
        return BrokenSkill(folder.name, f"its {SKILL_FILE} is no file")
    return skill_of(folder.name, content, folder=folder, own=own)
