"""What a model's stream said, with the failure that ended it, if one did."""

from collections.abc import AsyncIterator

from cetp_gateway.api import ModelEvent, StepEnded, TextDelta, ThinkingDelta
from cetp_gateway.errors import ModelFailed


class Heard:
    def __init__(self, events: list[ModelEvent], failure: ModelFailed | None) -> None:
        self.events = events
        self._failure = failure

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, TextDelta))

    @property
    def thinking(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, ThinkingDelta))

    @property
    def ended(self) -> StepEnded:
        """The last event; the stream must have ended well, with nothing after it."""
        assert self._failure is None, self._failure
        ends = [event for event in self.events if isinstance(event, StepEnded)]
        assert len(ends) == 1
        assert ends[0] is self.events[-1]
        return ends[0]

    @property
    def failure(self) -> ModelFailed:
        """What ended the stream; no end of step may have come before it."""
        assert self._failure is not None, self.events
        assert not any(isinstance(event, StepEnded) for event in self.events)
        return self._failure


async def heard(stream: AsyncIterator[ModelEvent]) -> Heard:
    events: list[ModelEvent] = []
    try:
        async for event in stream:
            events.append(event)  # noqa: PERF401 — those before a failure count
    except ModelFailed as failed:
        return Heard(events, failed)
    return Heard(events, None)
