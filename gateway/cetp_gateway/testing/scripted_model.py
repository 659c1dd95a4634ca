"""A model that says what a test tells it to say. No network, no clock, no chance.

    model = ScriptedModel([
        ScriptedStep(calls=(ToolUse("c1", "notes__search", {"query": "boiler"}),)),
        ScriptedStep(text="The boiler was serviced in March."),
    ])

Every request is kept in `requests`, so that a test can look at what the model was given. Ships with the
project for its users' own tests. Below: api.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final

import msgspec

from cetp_gateway.api import (
    AssistantMessage,
    ModelEvent,
    ModelRequest,
    StepEnded,
    StopReason,
    TextDelta,
    ThinkingDelta,
    ToolUse,
    Usage,
)
from cetp_gateway.errors import ModelFailed, ModelFailure

PIECE_CHARS: Final = 8
"""Characters in one TextDelta."""


class Hold:
    """A place in a script where the model waits.

    `reached` is set when the model has come to it; the model goes on when the test sets `released`.
    """

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.released = asyncio.Event()

    async def wait(self) -> None:
        """What the model does here."""
        self.reached.set()
        await self.released.wait()


class ScriptedStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step of the model, in the order in which it happens: thinking, text, hold, then failure or end."""

    thinking: str = ""
    text: str = ""
    hold: Hold | None = None
    fails: ModelFailed | None = None
    calls: tuple[ToolUse, ...] = ()
    stop: StopReason | None = None
    """None means TOOL_USE when there are calls, else END."""
    usage: Usage = Usage()

    @property
    def ending(self) -> StepEnded:
        """The event that closes the step."""
        stop = self.stop or (StopReason.TOOL_USE if self.calls else StopReason.END)
        return StepEnded(AssistantMessage(self.text, self.calls), stop, self.usage)


Script = ScriptedStep | Callable[[ModelRequest], ScriptedStep]
"""A step, or a function that makes it from the request."""


class ScriptedModel:
    """Implements ModelProvider from a list of steps, one for each `stream`.

    Args:
        steps: what to say, in order. A request beyond the last one fails with ModelFailed (SETUP).
        completions: texts for `complete`, in order; empty text when they have run out.
    """

    provider: Final = "scripted"

    def __init__(self, steps: Iterable[Script], *, completions: Iterable[str] = (), model: str = "script") -> None:
        self._steps = iter(tuple(steps))
        self._completions = iter(tuple(completions))
        self._model = model
        self._changed = asyncio.Event()
        self.requests: list[ModelRequest] = []
        """What `stream` was asked, in order."""
        self.completion_requests: list[ModelRequest] = []
        self.open_streams = 0
        """Streams that have begun and not ended."""
        self.closed = False

    @property
    def model(self) -> str:
        return self._model

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Play the next step."""
        self.requests.append(request)
        self._notify()
        step = self._next(request)
        with self._counted():
            for piece in _pieces(step.thinking):
                yield ThinkingDelta(piece)
            for piece in _pieces(step.text):
                yield TextDelta(piece)
                await asyncio.sleep(0)
            if step.hold is not None:
                await step.hold.wait()
            if step.fails is not None:
                raise step.fails
            yield step.ending

    async def complete(self, request: ModelRequest) -> AssistantMessage:
        """The next of the completions."""
        self.completion_requests.append(request)
        return AssistantMessage(next(self._completions, ""))

    async def models(self) -> list[str]:
        return [self._model]

    async def aclose(self) -> None:
        self.closed = True

    async def asked(self, times: int = 1) -> ModelRequest:
        """Wait until `stream` was asked so many times; the request of that time. Bound it with a timeout."""
        while len(self.requests) < times:
            self._changed.clear()
            await self._changed.wait()
        return self.requests[times - 1]

    async def idle(self) -> None:
        """Wait until no stream is open. Bound it with a timeout."""
        while self.open_streams:
            self._changed.clear()
            await self._changed.wait()

    def _next(self, request: ModelRequest) -> ScriptedStep:
        script = next(self._steps, None)
        if script is None:
            number = len(self.requests)
            raise ModelFailed(ModelFailure.SETUP, f"The script has no step {number}. Add one to ScriptedModel.")
        return script if isinstance(script, ScriptedStep) else script(request)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        self.open_streams += 1
        try:
            yield
        finally:
            self.open_streams -= 1
            self._notify()

    def _notify(self) -> None:
        self._changed.set()


def _pieces(text: str) -> Iterable[str]:
    return (text[start : start + PIECE_CHARS] for start in range(0, len(text), PIECE_CHARS))
