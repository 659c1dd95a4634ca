"""`/health` in short for everybody, `/api/health` with content for those who are paired."""

import msgspec

from cetp_gateway._version import __version__
from cetp_gateway.devices import DeviceStatus
from cetp_gateway.server.model_watch import ModelHealth
from cetp_gateway.server.rest.routes import Access, Asked, Parameter, Route


class ShortHealth(msgspec.Struct, frozen=True, kw_only=True):
    """The gateway answers; nothing that a stranger may not know."""

    status: str
    version: str
    paired: bool
    require_pairing: bool
    runtime: dict[str, str]
    """Empty; ClawSeed clients expect it."""


class ToolHealth(msgspec.Struct, frozen=True, kw_only=True):
    """How many tools are in which state."""

    accepted: int
    quarantined: int
    revision: int


class RememberingHealth(msgspec.Struct, frozen=True, kw_only=True):
    """Whether anything lasts beyond a session."""

    backend: str
    """`none` keeps nothing."""
    ok: bool
    """False when what was asked for cannot be had; `detail` says why."""
    search_mode: str
    detail: str


class TurnHealth(msgspec.Struct, frozen=True, kw_only=True):
    """Turns of all sessions."""

    running: int
    waiting: int


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """What works and what does not. `status` is `degraded` when the model or the memory fails."""

    status: str
    version: str
    model: ModelHealth
    devices: list[DeviceStatus]
    """Those that are connected; `silent_s` tells their last sign of life."""
    tools: ToolHealth
    turns: TurnHealth
    memory: RememberingHealth


async def show_short(asked: Asked[None]) -> ShortHealth:
    return ShortHealth(
        status="ok",
        version=__version__,
        paired=asked.service.is_paired(),
        require_pairing=asked.service.requires_pairing,
        runtime={},
    )


async def show(asked: Asked[None]) -> Health:
    watch = asked.service.model_watch
    if asked.parameters.get("probe", False):
        await watch.probe()
    model = watch.health()
    conversations = asked.service.runtime.conversations
    memory = await asked.service.runtime.memory.health()
    return Health(
        status="degraded" if model.state == "failing" or not memory.ok else "ok",
        version=__version__,
        model=model,
        devices=asked.service.runtime.devices.rows(),
        tools=_tools(asked),
        turns=TurnHealth(running=len(conversations.running()), waiting=conversations.waiting()),
        memory=RememberingHealth(
            backend=memory.backend, ok=memory.ok, search_mode=memory.search_mode, detail=memory.detail
        ),
    )


def _tools(asked: Asked[None]) -> ToolHealth:
    registry = asked.service.runtime.registry
    counts = registry.counts()
    return ToolHealth(accepted=counts.usable, quarantined=counts.quarantined, revision=registry.revision)


ROUTES = (
    Route(
        method="GET",
        path="/health",
        summary="Whether the gateway answers",
        handler=show_short,
        access=Access.PUBLIC,
        responses={200: ShortHealth},
    ),
    Route(
        method="GET",
        path="/api/health",
        summary="What works: model, devices, tools, turns, memory",
        handler=show,
        parameters=(
            Parameter(name="probe", where="query", type=bool, description="Ask the model's side now, for up to 5 s"),
        ),
        responses={200: Health},
    ),
)
