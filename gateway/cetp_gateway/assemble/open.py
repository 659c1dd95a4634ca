"""Opens every part in its order and closes them in the other."""

import time
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from functools import partial
from pathlib import Path

from cetp_gateway.agent import HookPipeline, ToolOffers
from cetp_gateway.api import ModelProvider
from cetp_gateway.assemble.answering import Answering
from cetp_gateway.assemble.current import Current
from cetp_gateway.assemble.foundation import Foundation, foundation
from cetp_gateway.assemble.live_parts import LiveParts
from cetp_gateway.assemble.own_tools import OwnTools
from cetp_gateway.assemble.parts import Parts
from cetp_gateway.assemble.reloading import Reloading
from cetp_gateway.assemble.runtime import Runtime
from cetp_gateway.assemble.scheduling import scheduling
from cetp_gateway.assemble.titling import title_namer
from cetp_gateway.builtin import KeptResults, TodoStore
from cetp_gateway.devices import Devices, PairedDevices
from cetp_gateway.sessions import Conversations, Lines, Personas, Titles
from cetp_gateway.settings import Settings, SettingsSource
from cetp_gateway.skills import Skills
from cetp_gateway.tools import ToolRegistry


@asynccontextmanager
async def assemble(
    settings: Settings,
    *,
    data_folder: Path,
    config_file: Path,
    model: ModelProvider | None = None,
    parts: Parts | None = None,
    source: SettingsSource | None = None,
) -> AsyncIterator[Runtime]:
    """Open everything, and close it at the end.

    Args:
        settings: checked values, to begin with.
        data_folder: where the database lies; made when missing.
        config_file: the `cetp.toml` that REST shows and replaces.
        model: another model than the settings name; for tests and for programs that bring their own.
        parts: factories and tools of an application's own.
        source: where the settings came from, so that they can be read again; None when a program has made them.

    Raises:
        StorageError: the data folder cannot be used.
        SettingsError: the model or a hook is unknown, or a rule of the policy cannot be read.
    """
    async with (
        foundation(settings, parts or Parts(), data_folder=data_folder, model=model) as base,
        _runtime(base, config_file, source) as runtime,
    ):
        yield runtime


@asynccontextmanager
async def _runtime(base: Foundation, config_file: Path, source: SettingsSource | None) -> AsyncIterator[Runtime]:
    settings = base.settings
    current = Current(settings=settings, hooks=HookPipeline(base.policy.guard, base.parts.hooks.create(settings)))
    devices = Devices(settings.limits)
    paired = await PairedDevices.load(base.database)
    paired.on_revoked = devices.close_owner
    registry = ToolRegistry(settings.tools, settings.limits)
    await base.sessions.recover()
    lines = Lines(length=settings.limits.turns_per_session, wait_s=settings.limits.queue_wait_s)
    answer = _answering(base, current)
    conversations = Conversations(base.sessions, lines, answer, max_history=settings.agent.max_history)
    async with aclosing(answer.results), scheduling(base, conversations, registry, devices, paired) as schedules:
        tools = OwnTools(
            base=base, devices=devices, paired=paired, schedules=schedules, answering=answer, registry=registry
        )
        _offer(tools, settings, registry)
        live = LiveParts(
            base=base,
            current=current,
            tools=tools,
            registry=registry,
            devices=devices,
            lines=lines,
            conversations=conversations,
        )
        yield Runtime(
            current=current,
            reloading=Reloading(live, source),
            config_file=config_file,
            data_folder=base.data_folder,
            started_at=time.time(),
            database=base.database,
            model=base.model,
            usage=base.usage,
            registry=registry,
            policy=base.policy,
            memory=base.memory,
            remembering=base.remembering,
            devices=devices,
            paired=paired,
            sessions=base.sessions,
            personas=answer.personas,
            skills=answer.skills,
            results=answer.results,
            conversations=conversations,
            schedules=schedules,
            titles=_titles(base),
        )


def _offer(tools: OwnTools, settings: Settings, registry: ToolRegistry) -> None:
    """At once when an application brings some, so that it hears of a name that is taken; else when they are needed."""
    if not tools.base.parts.tools:
        registry.supply(partial(tools, settings))
        return
    for tool in tools(settings):
        registry.add(tool)


def _answering(base: Foundation, current: Current) -> Answering:
    return Answering(
        current=current,
        model=base.model,
        personas=Personas(base.database, base.data_folder / "personas"),
        skills=Skills(base.data_folder / "skills", lambda: current.settings.skills),
        memory=base.remembering,
        todos=TodoStore(base.database),
        offers=ToolOffers(base.search),
        session_tools=base.policy.tools,
        results=KeptResults(lambda: current.settings.limits),
        data_folder=base.data_folder,
    )


def _titles(base: Foundation) -> Titles:
    wanted = base.settings.sessions
    name_title = title_namer(base.model) if wanted.titles else None
    return Titles(base.sessions, default_name=wanted.default_name, name_title=name_title)
