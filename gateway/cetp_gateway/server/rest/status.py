"""`/api/status`: what this gateway is set up to do, with the fields that ClawSeed clients read."""

import time
from datetime import UTC, datetime

import msgspec

from cetp_gateway._version import __version__
from cetp_gateway.assemble import Reloaded
from cetp_gateway.server.rest.routes import Asked, Route

_VENDORS_TEMPERATURE = 1.0
"""What the vendors take when no temperature is sent; existing clients need a number."""


class MemoryStatus(msgspec.Struct, frozen=True):
    """The long-term memory."""

    backend: str
    embedding_provider: str
    embedding_model: str
    embedding_dims: int
    search_mode: str
    count: int


class SettingsStatus(msgspec.Struct, frozen=True, kw_only=True):
    """The latest reading of the settings."""

    read_at: datetime
    """UTC."""
    error: str
    """Why the file could not be used, with its line; the settings before are in force then."""
    restart_for: tuple[str, ...]
    """Settings of the file that the gateway has to be started anew for."""


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """The set-up."""

    version: str
    provider: str
    model: str
    temperature: float
    paired: bool
    """Is any device paired?"""
    gateway_port: int
    uptime_s: int
    memory: MemoryStatus
    settings: SettingsStatus


async def show(asked: Asked[None]) -> Status:
    runtime = asked.service.runtime
    temperature = runtime.settings.model.temperature
    return Status(
        version=__version__,
        provider=runtime.model.provider,
        model=runtime.model.model,
        temperature=_VENDORS_TEMPERATURE if temperature is None else temperature,
        paired=asked.service.is_paired(),
        gateway_port=asked.port,
        uptime_s=max(0, round(time.time() - runtime.started_at)),
        memory=await _memory(asked),
        settings=_settings(runtime.reloading.latest),
    )


def _settings(latest: Reloaded) -> SettingsStatus:
    return SettingsStatus(
        read_at=datetime.fromtimestamp(latest.at, UTC), error=latest.error, restart_for=latest.restart_for
    )


async def _memory(asked: Asked[None]) -> MemoryStatus:
    memory = asked.service.runtime.memory
    health = await memory.health()
    return MemoryStatus(
        health.backend,
        health.embedding_provider,
        health.embedding_model,
        health.embedding_dims,
        health.search_mode,
        await memory.count(),
    )


ROUTES = (
    Route(
        method="GET",
        path="/api/status",
        summary="How the gateway is set up",
        handler=show,
        responses={200: Status},
        refusals=(503,),
    ),
)
