"""Real implementations of the agent's extension points for its tests: tools that run here, and a turn run with them."""

import asyncio
import difflib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from cetp_gateway.agent import TurnJob, TurnLimits, run_turn
from cetp_gateway.api import (
    Answered,
    ArgumentProblem,
    Arguments,
    CallContext,
    CallsAnnounced,
    CallsFinished,
    Hook,
    InvalidArguments,
    Message,
    ModelProvider,
    Origin,
    Outcome,
    RegisteredTool,
    TextSaid,
    ToolResult,
    ToolSpec,
    ToolView,
    TurnEvent,
    TurnRecord,
    UserMessage,
)

BOUND_S = 5.0
"""No wait of a test is longer."""

STANDARD = TurnLimits()

PHONE = Origin("pixel", "com.example.notes")

Work = Callable[[Arguments, CallContext], Awaitable[Outcome]]


async def echo(arguments: Arguments, context: CallContext) -> Outcome:
    return Answered(str(arguments.get("say", "echo")))


def answers(outcome: Outcome) -> Work:
    async def work(arguments: Arguments, context: CallContext) -> Outcome:
        return outcome

    return work


class Gate:
    """Work that waits: `reached` when it runs, goes on when `released`, ends as `passed` or `cancelled`."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.released = asyncio.Event()
        self.passed = asyncio.Event()
        self.cancelled = asyncio.Event()

    async def __call__(self, arguments: Arguments, context: CallContext) -> Outcome:
        self.reached.set()
        try:
            await self.released.wait()
        except asyncio.CancelledError:
            self.cancelled.set()
            raise
        self.passed.set()
        return Answered("through the gate")


class LocalTool:
    """Implements RegisteredTool over a coroutine function. `say` must be text, `required` names must be there."""

    def __init__(
        self,
        name: str,
        work: Work = echo,
        *,
        origin: Origin | None = None,
        required: Iterable[str] = (),
        description: str = "",
    ) -> None:
        self.spec = ToolSpec(
            name=name, description=description, parameters={"type": "object", "properties": {}}, origin=origin
        )
        self._work = work
        self._required = tuple(required)
        self.ran_with: list[Arguments] = []
        self.contexts: list[CallContext] = []

    def read_arguments(self, arguments: Any) -> Arguments | InvalidArguments:
        if not isinstance(arguments, dict):
            return InvalidArguments((ArgumentProblem("", "must be an object"),))
        missing = [ArgumentProblem(f"/{name}", "is required") for name in self._required if name not in arguments]
        if not isinstance(arguments.get("say", ""), str):
            missing.append(ArgumentProblem("/say", "must be a string"))
        return InvalidArguments(tuple(missing)) if missing else arguments

    async def execute(self, arguments: Arguments, context: CallContext) -> Outcome:
        self.ran_with.append(arguments)
        self.contexts.append(context)
        return await self._work(arguments, context)


class LocalTools:
    """Implements ToolView over tools that are given."""

    revision = 1

    def __init__(self, *tools: RegisteredTool) -> None:
        self._tools = {tool.spec.name: tool for tool in tools}

    def specs(self) -> Sequence[ToolSpec]:
        return [tool.spec for tool in self._tools.values()]

    def find(self, name: str) -> RegisteredTool | None:
        return self._tools.get(name)

    def nearest(self, name: str) -> tuple[str, ...]:
        return tuple(difflib.get_close_matches(name, self._tools, n=3))


class TurnRun:
    """One turn with all that came of it."""

    def __init__(self, job: TurnJob) -> None:
        self.job = job
        self.record = TurnRecord()
        self.events: list[TurnEvent] = []

    async def finish(self) -> "TurnRun":
        async with asyncio.timeout(BOUND_S):
            await run_turn(self.job, self.record, self.events.append)
        return self

    def start(self) -> "asyncio.Task[TurnRun]":
        return asyncio.create_task(self.finish())

    @property
    def said(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, TextSaid))

    @property
    def results(self) -> list[ToolResult]:
        return [result for event in self.events if isinstance(event, CallsFinished) for result in event.results]

    @property
    def outcomes(self) -> list[Outcome]:
        return [outcome for event in self.events if isinstance(event, CallsFinished) for outcome in event.outcomes]

    @property
    def announced(self) -> list[str]:
        return [call.name for event in self.events if isinstance(event, CallsAnnounced) for call in event.calls]


def turn(
    model: ModelProvider,
    *tools: RegisteredTool,
    view: ToolView | None = None,
    hooks: Sequence[Hook] = (),
    history: Sequence[Message] = (),
    text: str = "what is due?",
    limits: TurnLimits = STANDARD,
    debug: bool = False,
) -> TurnRun:
    return TurnRun(
        TurnJob(
            model=model,
            tools=view or LocalTools(*tools),
            hooks=hooks,
            system="You help.",
            history=history,
            user=UserMessage(text),
            session_id="s",
            limits=limits,
            debug=debug,
        )
    )


def context_until(seconds: float = BOUND_S, caller: str = "test") -> CallContext:
    now = asyncio.get_running_loop().time()
    return CallContext(call_id="call-1", deadline=now + seconds, began=now, caller=caller)


async def abort(running: "asyncio.Task[TurnRun]") -> None:
    """Cancel a turn and wait for its end, which must be that cancellation."""
    running.cancel()
    async with asyncio.timeout(BOUND_S):
        await asyncio.wait([running])
    assert running.cancelled()
