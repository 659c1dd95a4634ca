"""Calls under a policy: the real guard over a database of its own, local tools, and a person who answers."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from cetp_gateway.agent import HookPipeline, run_call
from cetp_gateway.api import Answered, Arguments, CallContext, Effect, Hook, Origin, Outcome
from cetp_gateway.policy import (
    AnswerStatus,
    ApprovalRequest,
    ApprovalScope,
    AuditEntry,
    Decision,
    PolicyParts,
    open_policy,
)
from cetp_gateway.settings.schema import Settings
from cetp_gateway.storage import MIGRATIONS, Database
from support.agent_fakes import BOUND_S, LocalTool, LocalTools

PHONE = Origin("pixel", "com.example.notes")
_numbers = itertools.count(1)


class EffectTool(LocalTool):
    """A tool of this effect; of the gateway's own unless it has an origin."""

    def __init__(self, name: str, effect: Effect, origin: Origin | None = None, **more: Any) -> None:
        super().__init__(name, origin=origin, **more)
        self.spec = msgspec.structs.replace(self.spec, effect=effect)


class Policed:
    """A policy and what is asked of it."""

    def __init__(self, database: Database, parts: PolicyParts, hooks: Sequence[Hook]) -> None:
        self.database = database
        self.parts = parts
        self.pipeline = HookPipeline(parts.guard, hooks)
        self._changed = asyncio.Event()
        self.closed: dict[str, Decision] = {}
        parts.approvals.subscribe(self._note)

    def _note(self, request: ApprovalRequest, decision: Decision | None) -> None:
        if decision is not None:
            self.closed[request.id] = decision
        self._changed.set()

    async def call(
        self,
        tool: LocalTool,
        arguments: Arguments | None = None,
        *,
        session: str = "s",
        caller: str = "agent",
        client: str = "",
        seconds: float = BOUND_S,
        patient: bool = True,
    ) -> Outcome:
        context = CallContext(
            call_id=f"call-{next(_numbers)}",
            deadline=asyncio.get_running_loop().time() + seconds,
            caller=caller,
            client=client,
            session_id=session,
            patient=patient,
        )
        async with asyncio.timeout(2 * BOUND_S):
            return await run_call(
                tool.spec.name, arguments or {}, tools=LocalTools(tool), hooks=self.pipeline, context=context
            )

    def start(self, tool: LocalTool, arguments: Arguments | None = None, **how: Any) -> "asyncio.Task[Outcome]":
        return asyncio.create_task(self.call(tool, arguments, **how))

    async def asked(self, count: int = 1) -> ApprovalRequest:
        """The latest open question, awaited until there are so many."""
        async with asyncio.timeout(BOUND_S):
            while len(self.parts.approvals.open()) < count:
                self._changed.clear()
                await self._changed.wait()
        return self.parts.approvals.open()[-1]

    def answer(
        self, request: ApprovalRequest, *, allow: bool = True, scope: str = "once", who: str = "phone-1"
    ) -> AnswerStatus:
        return self.parts.approvals.answer(
            request.id, digest=request.digest, allow=allow, scope=ApprovalScope(scope), by=who, who=who
        )

    async def allowed(self, tool: LocalTool, arguments: Arguments | None = None, **how: Any) -> Outcome:
        """Call, and let a person say yes."""
        scope = how.pop("scope", "once")
        running = self.start(tool, arguments, **how)
        assert self.answer(await self.asked(), scope=scope) is AnswerStatus.ACCEPTED
        return await running

    async def entries(self, **fits: str) -> list[AuditEntry]:
        return [numbered.entry for numbered in await self.parts.trail.latest(10_000, **fits)]


@asynccontextmanager
async def policed(
    folder: Path, *, hooks: Sequence[Hook] = (), audit: dict[str, Any] | None = None, **policy: Any
) -> AsyncIterator[Policed]:
    settings = msgspec.convert({"policy": policy, "audit": audit or {}}, Settings)
    database = await Database.open(folder, MIGRATIONS)
    try:
        async with open_policy(settings, database) as parts:
            yield Policed(database, parts, hooks)
    finally:
        await database.close()


def ran(outcome: Outcome) -> bool:
    return isinstance(outcome, Answered)
