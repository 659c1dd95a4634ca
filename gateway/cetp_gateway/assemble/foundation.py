"""What lies below everything that answers: the database, the model, the policy, the memory. Opened in order, closed in
the other.

Above: `open`. Below: the rooms whose parts last as long as the gateway.
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import msgspec

from cetp_gateway.agent import ToolSearch
from cetp_gateway.api import Memory, ModelProvider
from cetp_gateway.assemble.parts import Parts
from cetp_gateway.memory import Remembering, open_memory, remembering
from cetp_gateway.memory.embeddings import create_embedder
from cetp_gateway.models import CurrentModel, Meter, UsageLedger, open_meter
from cetp_gateway.policy import PolicyParts, open_policy
from cetp_gateway.sessions import SessionStore
from cetp_gateway.settings import Settings
from cetp_gateway.storage import MIGRATIONS, Database


class Foundation(msgspec.Struct, frozen=True, kw_only=True):
    """See the module."""

    settings: Settings
    """Those at the start."""
    parts: Parts
    data_folder: Path
    database: Database
    usage: UsageLedger
    meter: Meter
    model: CurrentModel
    brings_model: bool
    """The program has brought its own model; the settings do not choose one."""
    policy: PolicyParts
    sessions: SessionStore
    search: ToolSearch
    memory: Memory
    remembering: Remembering


@asynccontextmanager
async def foundation(
    settings: Settings, parts: Parts, *, data_folder: Path, model: ModelProvider | None
) -> AsyncIterator[Foundation]:
    """For the length of a block; see `assemble` for the arguments and errors."""
    async with AsyncExitStack() as stack:
        database = await Database.open(data_folder, MIGRATIONS)
        stack.push_async_callback(database.close)
        usage = UsageLedger(database)
        meter = await open_meter(settings, usage)
        chosen = meter.on(model) if model else parts.models.create(settings.model, around=meter.on)
        current = CurrentModel(chosen)
        stack.push_async_callback(current.aclose)
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
        yield Foundation(
            settings=settings,
            parts=parts,
            data_folder=data_folder,
            database=database,
            usage=usage,
            meter=meter,
            model=current,
            brings_model=model is not None,
            policy=policy,
            sessions=sessions,
            search=search,
            memory=memory,
            remembering=await stack.enter_async_context(remembering(settings.memory, memory, current)),
        )
