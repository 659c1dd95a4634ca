"""`/api/personality`: the Markdown files that say who the agent is, one per subject, in `personality/`."""

import asyncio
import re
from pathlib import Path
from typing import Annotated

import msgspec

from cetp_gateway.server.requests.errors import HttpError
from cetp_gateway.server.rest.routes import Asked, Route, matching
from cetp_gateway.server.rest.text_files import read_usable, remove, write_text

FOLDER = "personality"
_NAME_PATTERN = r"[A-Za-z0-9_-]{1,64}\.md"
_NAME = re.compile(_NAME_PATTERN)
_FILES = 32

FileName = Annotated[str, matching(_NAME_PATTERN)]


class Personality(msgspec.Struct, frozen=True):
    """Texts by file name, such as `SOUL.md`. On writing an empty text removes its file; others stay as they are."""

    files: dict[FileName, str]


async def show(asked: Asked[None]) -> Personality:
    limits = asked.service.runtime.settings.limits
    return Personality(await asyncio.to_thread(_read, _folder(asked), limits.body_bytes))


async def change(asked: Asked[Personality]) -> Personality:
    limits = asked.service.runtime.settings.limits
    return Personality(await asyncio.to_thread(_write, _folder(asked), asked.body.files, limits.body_bytes))


def _folder(asked: Asked[None] | Asked[Personality]) -> Path:
    return asked.service.runtime.data_folder / FOLDER


def _read(folder: Path, limit: int) -> dict[str, str]:
    if not folder.is_dir():
        return {}
    names = sorted(path.name for path in folder.iterdir() if _NAME.fullmatch(path.name))[:_FILES]
    return {name: text for name in names if (text := read_usable(folder / name, limit)) is not None}


def _write(folder: Path, files: dict[str, str], limit: int) -> dict[str, str]:
    kept = _read(folder, limit).keys() | {name for name, text in files.items() if text}
    if len(kept) > _FILES:
        raise HttpError(400, f"files: more than {_FILES} files are not kept; remove one by writing an empty text.")
    for name, text in files.items():
        if text:
            write_text(folder / name, text)
        else:
            remove(folder / name)
    return _read(folder, limit)


ROUTES = (
    Route(
        method="GET",
        path="/api/personality",
        summary="The texts that say who the agent is",
        handler=show,
        responses={200: Personality},
        refusals=(503,),
    ),
    Route(
        method="PUT",
        path="/api/personality",
        summary="Write some of these texts; an empty one removes its file",
        handler=change,
        request=Personality,
        responses={200: Personality},
        refusals=(503,),
    ),
)
