"""`/api/config`: the settings file as text, secrets masked; written whole, checked first, in force at once.

Above: table. Below: `config_text`, `assemble`'s reloading.
"""

import asyncio
from pathlib import Path
from typing import Any

import msgspec

from cetp_gateway.assemble import Reloaded
from cetp_gateway.errors import SettingsError
from cetp_gateway.server.requests.errors import HttpError
from cetp_gateway.server.rest.config_text import masked, references, unmasked
from cetp_gateway.server.rest.routes import Asked, Route
from cetp_gateway.server.rest.text_files import read_text, write_text


class ConfigText(msgspec.Struct, frozen=True):
    """The settings file; empty when there is none and every setting has its default."""

    content: str


class ConfigRead(msgspec.Struct, frozen=True, kw_only=True):
    """What the running gateway has made of its settings file."""

    changed: tuple[str, ...]
    """Settings that are in force from now on, as `section.key`; running turns end with those that they began with."""
    restart_for: tuple[str, ...]
    """Settings that the gateway has to be started anew for."""
    restart_required: bool
    message: str


class ConfigSaved(ConfigRead, frozen=True, kw_only=True):
    """The settings were written."""

    saved: bool


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
    _must_decide(asked)
    runtime = asked.service.runtime
    limit, reloading = runtime.settings.limits.config_bytes, runtime.reloading
    async with asked.service.config_lock:
        stored = await asyncio.to_thread(_read, runtime.config_file, limit)
        text = unmasked(asked.body, stored)
        if not asked.local and references(text) != references(stored):
            raise HttpError(403, "Where secrets are kept can be changed on the gateway's own machine only.")
        await reloading.check(text)
        await asyncio.to_thread(write_text, runtime.config_file.resolve(), text)
        if reloading.source is None:
            return ConfigSaved(
                saved=True,
                changed=(),
                restart_for=(),
                restart_required=True,
                message="Saved. Restart the gateway to use the new settings.",
            )
        read = _described(await reloading.reload(), "Saved.")
        return ConfigSaved(saved=True, **msgspec.structs.asdict(read))


async def reload(asked: Asked[None]) -> ConfigRead:
    _must_decide(asked)
    try:
        return _described(await asked.service.runtime.reloading.reload(), "The settings were read.")
    except SettingsError as error:
        # The request was right; it is the file that has to be mended.
        raise HttpError(409, error.message, code=error.code) from None


def _must_decide(asked: Asked[Any]) -> None:
    """Settings say what an agent may do, so whoever may not decide about its calls may not change them."""
    if not asked.service.runtime.policy.approvals.may_decide(asked.caller.client):
        raise HttpError(403, "This client may not change the settings (policy.approvers).")


def _described(reloaded: Reloaded, done: str) -> ConfigRead:
    restart_for = reloaded.restart_for
    if restart_for:
        message = f"{done} Restart the gateway for: {', '.join(restart_for)}."
    elif reloaded.changed:
        message = f"{done} In force from the next turn on: {', '.join(reloaded.changed)}."
    else:
        message = f"{done} They say the same as before."
    return ConfigRead(
        changed=reloaded.changed,
        restart_for=restart_for,
        restart_required=bool(restart_for),
        message=message,
    )


def _read(file: Path, limit: int) -> str:
    # The owner chose this file; a link in its place is the owner's too.
    return read_text(file.resolve(), limit) or ""


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
        summary="Replace the settings file; masked secrets are kept; most of it is in force at once",
        handler=write,
        request=str,
        body_limit="config_bytes",
        responses={200: ConfigSaved},
        refusals=(403, 503),
    ),
    Route(
        method="POST",
        path="/api/config/reload",
        summary="Read the settings file again, as SIGHUP does",
        handler=reload,
        responses={200: ConfigRead},
        refusals=(403, 409, 503),
    ),
)
