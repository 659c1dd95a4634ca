"""Builds a Runtime from Settings: the one place that knows every implementation.

Above: the server, which answers with it, and the command line, which starts it. Below: every room with an
implementation of an extension point.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from cetp_gateway.agent import (
    HookFactories,
    HookPipeline,
    TurnJob,
    TurnLimits,
    remembered_notes,
    run_turn,
    system_prompt,
)
from cetp_gateway.api import (
    Emit,
    Memory,
    ModelProvider,
    ModelRequest,
    Tool,
    TurnRecord,
    UserMessage,
)
from cetp_gateway.devices import Devices, PairedDevices
from cetp_gateway.memory import Remembering, open_memory, remembering
from cetp_gateway.models import ModelFactories, UsageLedger, charged_to, default_factories, open_meter
from cetp_gateway.policy import PolicyParts, open_policy
from cetp_gateway.sessions import (
    Answer,
    Conversations,
    Lines,
    NameTitle,
    Personas,
    Question,
    SessionStore,
    Titles,
)
from cetp_gateway.settings import Settings
from cetp_gateway.storage import MIGRATIONS, Database
from cetp_gateway.tools import ToolRegistry

_TITLE_PROMPT = (
    "Give the conversation a title of at most six words, in the language of its first message. "
    "Answer with the title alone."
)


@dataclass(frozen=True, kw_only=True)
class Parts:
    """What an application brings besides, or in place of, what ships; everything else comes from the settings."""

    models: ModelFactories = field(default_factory=default_factories)
    hooks: HookFactories = field(default_factory=HookFactories.default)
    tools: Sequence[Tool] = ()
    """Built-in tools, registered in this order; their names are protected."""
    memory: Memory | None = None
    """In place of the one that the settings ask for; opened and closed by whoever brings it."""


@dataclass(frozen=True, kw_only=True)
class Runtime:
    """A running gateway without its sockets: everything that answers."""

    settings: Settings
    config_file: Path
    data_folder: Path
    started_at: float
    """Of `time.time()`."""
    database: Database
    model: ModelProvider
    usage: UsageLedger
    registry: ToolRegistry
    hooks: HookPipeline
    """The security policy first, then those of `agent.hooks`."""
    policy: PolicyParts
    memory: Memory
    remembering: Remembering
    devices: Devices
    paired: PairedDevices
    sessions: SessionStore
    personas: Personas
    conversations: Conversations
    titles: Titles


@asynccontextmanager
async def assemble(
    settings: Settings,
    *,
    data_folder: Path,
    config_file: Path,
    model: ModelProvider | None = None,
    parts: Parts | None = None,
) -> AsyncIterator[Runtime]:
    """Open everything, and close it at the end.

    Args:
        settings: checked values; they do not change while the runtime lives.
        data_folder: where the database lies; made when missing.
        config_file: the `cetp.toml` that REST shows and replaces.
        model: another model than the settings name; for tests and for programs that bring their own.
        parts: factories and tools of an application's own.

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
        model = meter.on(model) if model else parts.models.create(settings.model, around=meter.on)
        stack.push_async_callback(model.aclose)
        policy = await stack.enter_async_context(open_policy(settings, database))
        sessions = SessionStore(database, settings.sessions.default_name)
        memory = parts.memory
        if memory is None:
            memory = await stack.enter_async_context(
                open_memory(settings.memory, database, data_folder, said=sessions.said)
            )
        turns_memory = await stack.enter_async_context(remembering(settings.memory, memory, model))
        yield await _build(
            settings,
            database,
            model,
            parts,
            policy,
            sessions=sessions,
            usage=usage,
            memory=memory,
            turns_memory=turns_memory,
            data_folder=data_folder,
            config_file=config_file,
        )


async def _build(
    settings: Settings,
    database: Database,
    model: ModelProvider,
    parts: Parts,
    policy: PolicyParts,
    *,
    sessions: SessionStore,
    usage: UsageLedger,
    memory: Memory,
    turns_memory: Remembering,
    data_folder: Path,
    config_file: Path,
) -> Runtime:
    hooks = HookPipeline(policy.guard, parts.hooks.create(settings))
    devices = Devices(settings.limits)
    paired = await PairedDevices.load(database)
    paired.on_revoked = devices.close_owner
    registry = ToolRegistry(settings.tools, settings.limits)
    for tool in parts.tools:
        registry.add(tool)
    await sessions.recover()
    personas = Personas(database)
    lines = Lines(length=settings.limits.turns_per_session, wait_s=settings.limits.queue_wait_s)
    answer = _agent(settings, model, hooks, personas, turns_memory, data_folder=data_folder)
    return Runtime(
        settings=settings,
        config_file=config_file,
        data_folder=data_folder,
        started_at=time.time(),
        database=database,
        model=model,
        usage=usage,
        registry=registry,
        hooks=hooks,
        policy=policy,
        memory=memory,
        remembering=turns_memory,
        devices=devices,
        paired=paired,
        sessions=sessions,
        personas=personas,
        conversations=Conversations(sessions, lines, answer, max_history=settings.agent.max_history),
        titles=Titles(
            sessions,
            default_name=settings.sessions.default_name,
            name_title=_title_namer(model) if settings.sessions.titles else None,
        ),
    )


def _agent(
    settings: Settings,
    model: ModelProvider,
    hooks: HookPipeline,
    personas: Personas,
    memory: Remembering,
    *,
    data_folder: Path,
) -> Answer:
    """What answers the questions of all sessions."""
    limits = TurnLimits(
        max_steps=settings.agent.max_steps,
        max_history=settings.agent.max_history,
        max_tools=settings.model.max_tools,
        result_chars=settings.limits.result_chars,
        tool_timeout_s=settings.limits.tool_timeout_s,
    )

    async def answer(question: Question, record: TurnRecord, emit: Emit) -> None:
        persona = await personas.get(question.persona) if question.persona else None
        job = TurnJob(
            model=model,
            tools=question.tools,
            hooks=hooks,
            system=system_prompt(
                instructions=settings.agent.instructions,
                persona=persona.prompt if persona else "",
                now=datetime.now().astimezone(),
                notes=await asyncio.to_thread(_personality, data_folder / "personality"),
            ),
            history=question.history,
            user=question.user,
            remembered=remembered_notes(await memory.before_turn(question.user.text)),
            session_id=question.session_id,
            caller=question.asker.caller,
            client=question.asker.client,
            limits=limits,
            workspace=data_folder / "workspace",
            debug=question.debug,
        )
        with charged_to(question.session_id):
            await run_turn(job, record, emit)
        memory.after_turn(question.session_id, question.user.text, record)

    return answer


def _personality(folder: Path) -> list[str]:
    """The owner's texts about the agent, by file name; REST writes them (`/api/personality`)."""
    return [file.read_text("utf-8", errors="replace") for file in sorted(folder.glob("*.md"))]


def _title_namer(model: ModelProvider) -> NameTitle:
    async def name_title(question: str, answer: str) -> str:
        said = UserMessage(f"{question}\n\n---\n\n{answer[:2000]}")
        return (await model.complete(ModelRequest(system=_TITLE_PROMPT, messages=(said,)))).text

    return name_title
