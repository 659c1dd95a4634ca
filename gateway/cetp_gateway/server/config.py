"""`/api/config`: the settings file as text, secrets masked; written whole, checked first, used at the next start."""

import asyncio
from pathlib import Path

import msgspec

from cetp_gateway.errors import SettingsError
from cetp_gateway.server.config_text import check, masked, unmasked
from cetp_gateway.server.errors import HttpError
from cetp_gateway.server.routes import Asked, Route
from cetp_gateway.server.text_files import read_text, write_text


class ConfigText(msgspec.Struct, frozen=True):
    """The settings file; empty when there is none and every setting has its default."""

    content: str


class ConfigSaved(msgspec.Struct, frozen=True):
    """The settings were written; the running gateway still uses the old ones."""

    saved: bool
    restart_required: bool
    message: str


async def show(asked: Asked[None]) -> ConfigText:
    runtime = asked.service.runtime
    text = await asyncio.to_thread(_read, runtime.config_file, runtime.settings.limits.config_bytes)
    try:
        return ConfigText(masked(text))
    except SettingsError as error:
        # What cannot be parsed cannot be masked either.
        raise HttpError(
            409, f"The settings file cannot be shown. {error.message} Mend it on the gateway itself."
        ) from None


async def write(asked: Asked[str]) -> ConfigSaved:
    runtime = asked.service.runtime
    async with asked.service.config_lock:
        await asyncio.to_thread(_write, runtime.config_file, asked.body, runtime.settings.limits.config_bytes)
    return ConfigSaved(True, True, "Saved. Restart the gateway to use the new settings.")


def _read(file: Path, limit: int) -> str:
    # The owner chose this file; a link in its place is the owner's too.
    return read_text(file.resolve(), limit) or ""


def _write(file: Path, text: str, limit: int) -> None:
    complete = unmasked(text, _read(file, limit))
    check(complete)
    write_text(file.resolve(), complete)


ROUTES = (
    Route(
        method="GET",
        path="/api/config",
        summary="The settings file, secrets masked",
        handler=show,
        responses={200: ConfigText},
        refusals=(409, 503),
    ),
    Route(
        method="PUT",
        path="/api/config",
        summary="Replace the settings file; masked secrets are kept; takes effect at the next start",
        handler=write,
        request=str,
        body_limit="config_bytes",
        responses={200: ConfigSaved},
        refusals=(503,),
    ),
)
