"""A turn's events as the frames of ClawSeed's wire protocol."""

from collections.abc import Iterator

from cetp_gateway.agent import outcome_output
from cetp_gateway.api import (
    CallsAnnounced,
    CallsFinished,
    PromptBuilt,
    TextSaid,
    Thought,
    TurnAborted,
    TurnDone,
    TurnEvent,
    TurnFailed,
)
from cetp_gateway.devices import frames_out


def turn_frames(event: TurnEvent) -> Iterator[str]:
    """The frames that show one event, in order."""
    match event:
        case TextSaid():
            yield frames_out.chunk(event.text)
        case Thought():
            yield frames_out.thinking(event.text)
        case CallsAnnounced():
            for call in event.calls:
                yield frames_out.tool_call(call.id, call.name, call.arguments)
        case CallsFinished():
            for call, outcome in zip(event.calls, event.outcomes, strict=True):
                yield frames_out.tool_result(call.id, call.name, outcome_output(outcome))
        case PromptBuilt():
            yield frames_out.debug_prompt(event.messages, event.estimated_tokens)
        case TurnDone():
            yield frames_out.chunk_reset()
            yield frames_out.done(event.text, usage=event.usage, elapsed_ms=event.elapsed_ms)
        case TurnAborted():
            yield frames_out.aborted()
        case TurnFailed():
            yield frames_out.error(event.message, event.code)
