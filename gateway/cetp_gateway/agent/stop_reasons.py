"""What follows a step, by the reason for which it stopped. One table, complete over the enum; no I/O."""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final

from cetp_gateway.api import StepEnded, StopReason


class NextStep(Enum):
    """What the loop does after a step."""

    RUN_TOOLS = auto()
    FINISH = auto()
    RESUME = auto()
    """Ask again, with what was said so far at the end."""
    CUT_SHORT = auto()
    """Finish, and say that the answer is incomplete."""
    DECLINE = auto()
    """Finish, and say that there is no answer. Calls of such a step are not run."""


STEP_FOR_STOP_REASON: Final[Mapping[StopReason, NextStep]] = {
    StopReason.END: NextStep.FINISH,
    StopReason.TOOL_USE: NextStep.RUN_TOOLS,
    StopReason.LENGTH: NextStep.CUT_SHORT,
    StopReason.PAUSED: NextStep.RESUME,
    StopReason.REFUSED: NextStep.DECLINE,
}

NOTICE_FOR_STEP: Final[Mapping[NextStep, str]] = {
    NextStep.RUN_TOOLS: "[Stopped at the limit of {max_steps} steps; the work is not done. Say “go on” to continue.]",
    NextStep.RESUME: "[Stopped at the limit of {max_steps} steps before the answer was complete.]",
    NextStep.CUT_SHORT: "[The answer was cut off at the model's output limit.]",
    NextStep.DECLINE: "[The model declined to answer.]",
    NextStep.FINISH: "[The model ended without an answer.]",
}
"""What the user reads when a turn ends in this way: the first two at the step limit, the last one for no text."""

LAST_STEP: Final = (
    "This is the last step of this turn. Answer now with what you have; no further tool call will be run."
)
"""Added to the system prompt of the last request. The tools stay in it: vendors want them for the calls in history."""


def next_step(ended: StepEnded) -> NextStep:
    """What follows. Calls that are complete run whatever the reason says (some servers say `stop` with calls)."""
    step = STEP_FOR_STOP_REASON[ended.stop]
    if step is NextStep.DECLINE:
        return step
    if ended.message.calls:
        return NextStep.RUN_TOOLS
    return NextStep.FINISH if step is NextStep.RUN_TOOLS else step
