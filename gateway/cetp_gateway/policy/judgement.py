"""What a level means for a call: plain functions of values.

Above: `security_policy`. Below: api.
"""

from enum import Enum
from typing import Final

from cetp_gateway.api import Autonomy, Effect, ToolSpec

EFFECT_IN_WORDS: Final = {
    Effect.READS: "it only reads",
    Effect.WRITES: "it writes",
    Effect.RUNS: "it runs programs",
    Effect.SENDS: "it sends something",
    Effect.UNKNOWN: "what it does is not declared",
}


class Judgement(Enum):
    """What the policy says before anybody is asked."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


def judge(tool: ToolSpec, level: Autonomy, *, ask_unmarked: bool, always_ask: bool) -> Judgement:
    """Whether a call of this tool may run at this level.

    Args:
        tool: its effect counts, and whether somebody's device offers it.
        level: of the caller and session.
        ask_unmarked: `policy.ask_unmarked`.
        always_ask: a rule of `policy.always_ask` fits the tool.
    """
    if tool.effect is not Effect.READS and level is Autonomy.READ_ONLY:
        return Judgement.DENY
    if always_ask:
        return Judgement.ASK
    if tool.effect is Effect.READS or level is Autonomy.FULL:
        return Judgement.ALLOW
    # A tool of the gateway's own has no excuse for not saying what it does.
    return Judgement.ALLOW if is_unmarked(tool) and not ask_unmarked else Judgement.ASK


def is_unmarked(tool: ToolSpec) -> bool:
    """Whether it is the tool of a client that knows nothing of effects. Such a client has connected itself with the
    owner's token; its tools run as they do with ClawSeed.
    """
    return tool.effect is Effect.UNKNOWN and tool.origin is not None and not tool.origin.server
