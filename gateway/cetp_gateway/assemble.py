"""Builds a Runtime from Settings: the one place that knows every implementation.

Above: the server, which answers with it, and the command line, which starts it. Below: every room with an
implementation of an extension point.
"""

import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cetp_gateway.agent import HookFactories, TurnJob, TurnLimits, run_turn, system_prompt
from cetp_gateway.api import (
    Emit,
    Hook,
    Memory,
    ModelProvider,
    ModelRequest,
    TurnRecord,
    UserMessage,
)
from cetp_gateway.devices import Devices, PairedDevices
from cetp_gateway.memory import NoMemory
from cetp_gateway.models import create_model
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
class Runtime:
    """A running gateway without its sockets: everything that answers."""

    settings: Settings
    config_file: Path
    data_folder: Path
    started_at: float
    """Of `time.time()`."""
    database: Database
    model: ModelProvider
    registry: ToolRegistry
    hooks: tuple[Hook, ...]
    memory: Memory
    devices: Devices
    paired: PairedDevices
    sessions: SessionStore
    personas: Personas
    conversations: Conversations
    titles: Titles


@asynccontextmanager
async def assemble(
    settings: Settings, *, data_folder: Path, config_file: Path, model: ModelProvider | None = None
) -> AsyncIterator[Runtime]:
    """Open everything, and close it at the end.

    Args:
        settings: checked values; they do not change while the runtime lives.
        data_folder: where the database lies; made when missing.
        config_file: the `cetp.toml` that REST shows and replaces.
        model: another model than the settings name; for tests and for programs that bring their own.

    Raises:
        StorageError: the data folder cannot be used.
        SettingsError: the model or a hook is unknown.
    """
    async with AsyncExitStack() as stack:
        database = await Database.open(data_folder, MIGRATIONS)
        stack.push_async_callback(database.close)
        model = model or create_model(settings.model)
        stack.push_async_callback(model.aclose)
        yield await _build(settings, data_folder, config_file, database, model)


async def _build(
    settings: Settings, data_folder: Path, config_file: Path, database: Database, model: ModelProvider
) -> Runtime:
    hooks = HookFactories.default().create(settings)
    sessions = SessionStore(database, settings.sessions.default_name)
    await sessions.recover()
    personas = Personas(database)
    lines = Lines(length=settings.limits.turns_per_session, wait_s=settings.limits.queue_wait_s)
    answer = _agent(settings, model, hooks, personas, data_folder / "workspace")
    return Runtime(
        settings=settings,
        config_file=config_file,
        data_folder=data_folder,
        started_at=time.time(),
        database=database,
        model=model,
        registry=ToolRegistry(settings.tools, settings.limits),
        hooks=hooks,
        memory=NoMemory(),
        devices=Devices(settings.limits),
        paired=await PairedDevices.load(database),
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
    settings: Settings, model: ModelProvider, hooks: tuple[Hook, ...], personas: Personas, workspace: Path
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
            ),
            history=question.history,
            user=question.user,
            session_id=question.session_id,
            limits=limits,
            workspace=workspace,
            debug=question.debug,
        )
        await run_turn(job, record, emit)

    return answer


def _title_namer(model: ModelProvider) -> NameTitle:
    async def name_title(question: str, answer: str) -> str:
        said = UserMessage(f"{question}\n\n---\n\n{answer[:2000]}")
        return (await model.complete(ModelRequest(system=_TITLE_PROMPT, messages=(said,)))).text

    return name_title
