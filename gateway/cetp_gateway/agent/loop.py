"""The loop of a turn: ask the model, run the calls it wants, ask again, until it answers or the steps are used up.

Knows nothing of sockets, sessions or storage. Above: whoever makes a TurnJob. Below: `step_calls`, api.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec

from cetp_gateway.agent.deferral import OfferLimits
from cetp_gateway.agent.history import trim_history
from cetp_gateway.agent.prompt import prompt_built
from cetp_gateway.agent.step_calls import run_calls
from cetp_gateway.agent.stop_reasons import LAST_STEP, NOTICE_FOR_STEP, NextStep, next_step
from cetp_gateway.agent.tool_offer import ToolOffer
from cetp_gateway.agent.tool_offers import ToolOffers
from cetp_gateway.agent.turn_job import TurnJob
from cetp_gateway.agent.whole_results import WholeResults
from cetp_gateway.api import (
    AssistantMessage,
    Emit,
    Message,
    ModelEvent,
    ModelRequest,
    Step,
    StepEnded,
    TextDelta,
    TextSaid,
    ThinkingDelta,
    Thought,
    ToolResults,
    TurnRecord,
    Usage,
)
from cetp_gateway.errors import ModelFailed, ModelFailure


async def run_turn(job: TurnJob, record: TurnRecord, emit: Emit) -> None:
    """Answer the job's user message. Everything said enters `record` and goes out through `emit` as it happens.

    At the limit of steps the last request asks for an answer with what is there; if the model wants calls even
    then, they are not run and the turn ends with words that say so. The closing event is the caller's to emit.

    Raises:
        ModelFailed: the model's side failed; the steps before stay in the record.
        asyncio.CancelledError: the task was cancelled, which is how a turn is aborted. The model's stream and all
            calls in flight have ended by then; `record.partial` has what was said of the unfinished step.
    """
    offers = job.offers or ToolOffers()
    limits = OfferLimits(job.limits.max_tools, job.limits.token_budget)
    offer = await offers.begin(job.tools, limits, text=job.user.text, history=job.history, session_id=job.session_id)
    try:
        await _Turn(msgspec.structs.replace(job, tools=offer.view), offer, record, emit).run()
    finally:
        offers.end(offer, job.session_id)


class _Turn:
    """The state of one turn while it runs."""

    def __init__(self, job: TurnJob, offer: ToolOffer, record: TurnRecord, emit: Emit) -> None:
        self._job = job
        self._offer = offer
        self._record = record
        self._emit = emit
        self._messages: list[Message] = [*job.history, job.question]
        self._whole = WholeResults(job.keeper, job.tools)

    async def run(self) -> None:
        if self._job.debug:
            first = self._request(last=self._job.limits.max_steps == 1)
            self._emit(prompt_built(first.system, first.messages))
        for steps_left in reversed(range(self._job.limits.max_steps)):
            ended = await self._ask(self._request(last=steps_left == 0))
            after = next_step(ended)
            if steps_left and after is NextStep.RUN_TOOLS:
                await self._run_calls(ended.message)
            elif steps_left and after is NextStep.RESUME:
                self._resume(ended.message)
            else:
                self._finish(ended.message, after)
                return

    def _request(self, *, last: bool) -> ModelRequest:
        parts = (self._job.system, self._offer.note, LAST_STEP if last else "")
        messages = trim_history(self._messages, self._job.limits.max_history)
        return ModelRequest(system="\n\n".join(filter(None, parts)), messages=messages, tools=self._offer.specs())

    async def _ask(self, request: ModelRequest) -> StepEnded:
        """One step: pass on what the model says until it has ended."""
        async with _closing(self._job.model.stream(request)) as events:
            async for event in events:
                match event:
                    case TextDelta(text):
                        self._say(text)
                    case ThinkingDelta(text):
                        self._emit(Thought(text))
                    case StepEnded():
                        return self._ended(event)
        raise ModelFailed(ModelFailure.BROKEN_ANSWER, "The model's answer ended early. Try again.")

    def _ended(self, event: StepEnded) -> StepEnded:
        self._record.usage = _sum(self._record.usage, event.usage)
        said = self._record.partial
        if event.message.text.startswith(said):
            # A model need not stream: what it did not say in pieces is said now.
            self._say(event.message.text[len(said) :])
        return event

    def _say(self, text: str) -> None:
        if text:
            self._record.pieces.append(text)
            self._emit(TextSaid(text))

    async def _run_calls(self, message: AssistantMessage) -> None:
        results = await run_calls(message.calls, self._job, self._emit, self._whole.keep)
        self._offer.take(results, self._whole.readers)
        self._keep(Step(message, results))

    def _resume(self, message: AssistantMessage) -> None:
        if message.text.strip() or message.replay:
            self._keep(Step(message))

    def _finish(self, message: AssistantMessage, after: NextStep) -> None:
        """End with an answer, or with words that say why there is none or not a whole one."""
        if after is not NextStep.FINISH or not message.text.strip():
            words = NOTICE_FOR_STEP[after].format(max_steps=self._job.limits.max_steps)
            notice = f"\n\n{words}" if self._record.text.strip() else words
            self._say(notice)
            # Without calls, which were not run, and without the vendor's form of the message, which holds them.
            message = AssistantMessage(message.text + notice)
        self._keep(Step(message))

    def _keep(self, step: Step) -> None:
        """Make a whole step part of the history."""
        self._record.steps.append(step)
        self._record.pieces.clear()
        self._messages.append(step.message)
        if step.message.calls:
            self._messages.append(ToolResults(step.results))


@asynccontextmanager
async def _closing(events: AsyncIterator[ModelEvent]) -> AsyncIterator[AsyncIterator[ModelEvent]]:
    """Close the stream at the end of the block, however it ends; iterators other than generators may not need it."""
    try:
        yield events
    finally:
        close = getattr(events, "aclose", None)
        if close is not None:
            await close()


def _sum(before: Usage, step: Usage) -> Usage:
    return Usage(
        before.input_tokens + step.input_tokens,
        before.output_tokens + step.output_tokens,
        before.cached_input_tokens + step.cached_input_tokens,
        before.cache_write_tokens + step.cache_write_tokens,
    )
