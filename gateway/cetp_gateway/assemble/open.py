"""Opens every part in its order and closes them in the other."""

import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from cetp_gateway.agent import HookPipeline, ToolOffers, ToolSearch
from cetp_gateway.api import Memory, ModelProvider, Tool
from cetp_gateway.assemble.answering import Answering
from cetp_gateway.assemble.current import Current
from cetp_gateway.assemble.known_devices import DevicesAtHand
from cetp_gateway.assemble.live_parts import LiveParts
from cetp_gateway.assemble.parts import Parts
from cetp_gateway.assemble.reloading import Reloading
from cetp_gateway.assemble.runtime import Runtime
from cetp_gateway.assemble.scheduling import scheduling
from cetp_gateway.assemble.shipped import shipped_tools
from cetp_gateway.assemble.titling import title_namer
from cetp_gateway.assemble.tool_searching import with_search
from cetp_gateway.builtin import TodoStore
from cetp_gateway.devices import Devices, PairedDevices
from cetp_gateway.memory import Remembering, open_memory, remembering
from cetp_gateway.memory.embeddings import create_embedder
from cetp_gateway.models import CurrentModel, Meter, UsageLedger, open_meter
from cetp_gateway.policy import PolicyParts, open_policy
from cetp_gateway.sessions import Conversations, Lines, Personas, SessionStore, Titles
from cetp_gateway.settings import Settings, SettingsSource
from cetp_gateway.skills import Skills
from cetp_gateway.storage import MIGRATIONS, Database
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
    async with AsyncExitStack() as stack:
        database = await Database.open(data_folder, MIGRATIONS)
        stack.push_async_callback(database.close)
        parts = parts or Parts()
        usage = UsageLedger(database)
        meter = await open_meter(settings, usage)
        first = meter.on(model) if model else parts.models.create(settings.model, around=meter.on)
        current_model = CurrentModel(first)
        stack.push_async_callback(current_model.aclose)
        policy = await stack.enter_async_context(open_policy(settings, database))
        sessions = SessionStore(database, settings.sessions.default_name)
        embedder = create_embedder(settings.memory)
        if embedder is not None:
            stack.push_async_callback(embedder.aclose)
        search = await stack.enter_async_context(ToolSearch(embedder).open())
        memory = parts.memory
        if memory is None:
            memory = await stack.enter_async_context(
                open_memory(settings.memory, database, data_folder, embedder=embedder, said=sessions.said)
            )
        turns_memory = await stack.enter_async_context(remembering(settings.memory, memory, current_model))
        yield await _build(
            settings,
            database,
            current_model,
            parts,
            policy,
            source=source,
            brings_model=model is not None,
            meter=meter,
            search=search,
            sessions=sessions,
            usage=usage,
            memory=memory,
            turns_memory=turns_memory,
            data_folder=data_folder,
            config_file=config_file,
            stack=stack,
        )


async def _build(
    settings: Settings,
    database: Database,
    model: CurrentModel,
    parts: Parts,
    policy: PolicyParts,
    *,
    source: SettingsSource | None,
    brings_model: bool,
    meter: Meter,
    search: ToolSearch,
    sessions: SessionStore,
    usage: UsageLedger,
    memory: Memory,
    turns_memory: Remembering,
    data_folder: Path,
    config_file: Path,
    stack: AsyncExitStack,
) -> Runtime:
    current = Current(settings=settings, hooks=HookPipeline(policy.guard, parts.hooks.create(settings)))
    devices = Devices(settings.limits)
    paired = await PairedDevices.load(database)
    paired.on_revoked = devices.close_owner
    registry = ToolRegistry(settings.tools, settings.limits)
    skills = Skills(data_folder / "skills", lambda: current.settings.skills)
    at_hand = DevicesAtHand(paired, devices, registry)

    def tools(wanted: Settings) -> list[Tool]:
        if not parts.builtin:
            return list(parts.tools)
        shipped = shipped_tools(
            wanted,
            data_folder=data_folder,
            database=database,
            sessions=sessions,
            memory=memory,
            devices=at_hand,
            questions=policy.questions,
            schedules=schedules,
            skills=skills,
        )
        return [*with_search(shipped, search, registry, wanted), *parts.tools]

    await sessions.recover()
    personas = Personas(database, data_folder / "personas")
    lines = Lines(length=settings.limits.turns_per_session, wait_s=settings.limits.queue_wait_s)
    answer = Answering(
        current=current,
        model=model,
        personas=personas,
        skills=skills,
        memory=turns_memory,
        todos=TodoStore(database),
        offers=ToolOffers(search),
        session_tools=policy.tools,
        data_folder=data_folder,
    )
    conversations = Conversations(sessions, lines, answer, max_history=settings.agent.max_history)
    schedules = await stack.enter_async_context(
        scheduling(
            settings,
            database,
            parts.clock,
            sessions=sessions,
            conversations=conversations,
            registry=registry,
            devices=devices,
            paired=paired,
        )
    )
    for tool in tools(settings):
        registry.add(tool)
    live = LiveParts(
        current=current,
        parts=parts,
        tools=tools,
        model=model,
        meter=meter,
        policy=policy,
        registry=registry,
        devices=devices,
        lines=lines,
        conversations=conversations,
        brings_model=brings_model,
    )
    return Runtime(
        current=current,
        reloading=Reloading(live, source),
        config_file=config_file,
        data_folder=data_folder,
        started_at=time.time(),
        database=database,
        model=model,
        usage=usage,
        registry=registry,
        policy=policy,
        memory=memory,
        remembering=turns_memory,
        devices=devices,
        paired=paired,
        sessions=sessions,
        personas=personas,
        skills=skills,
        conversations=conversations,
        schedules=schedules,
        titles=Titles(
            sessions,
            default_name=settings.sessions.default_name,
            name_title=title_namer(model) if settings.sessions.titles else None,
        ),
    )
