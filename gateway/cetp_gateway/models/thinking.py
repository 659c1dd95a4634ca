"""How much a model thinks before it answers, as each API wants it said. Nothing is said when the owner says nothing."""

import re
from typing import Any, Final

from cetp_gateway.settings.model import Thinking

_VERSION: Final = re.compile(r"claude-(?:[a-z]+-)?(\d)(?:-(\d{1,2})(?!\d))?")
FIRST_ADAPTIVE: Final = (4, 6)
"""Claude from this version on decides itself how much to think; older ones take a number of tokens."""
BUDGETS: Final = {"low": 2048, "medium": 8192, "high": 16_384, "xhigh": 24_576, "max": 32_768}
MIN_BUDGET: Final = 1024
"""What the Messages API takes at least."""


def thinking_parameters(thinking: Thinking, model: str, max_output_tokens: int) -> dict[str, Any]:
    """For the Messages API."""
    if thinking == "auto":
        return {}
    if thinking == "off":
        return {"thinking": {"type": "disabled"}}
    if _version(model) >= FIRST_ADAPTIVE:
        return {"thinking": {"type": "adaptive", "display": "summarized"}, "output_config": {"effort": thinking}}
    budget = min(BUDGETS[thinking], max_output_tokens - MIN_BUDGET)
    return {"thinking": {"type": "enabled", "budget_tokens": budget}} if budget >= MIN_BUDGET else {}


def reasoning_effort(thinking: Thinking) -> dict[str, Any]:
    """For the chat completions API."""
    return {} if thinking == "auto" else {"reasoning_effort": "none" if thinking == "off" else thinking}


def _version(model: str) -> tuple[int, int]:
    """Of a Claude model; one without a number is taken for a new one."""
    found = _VERSION.search(model)
    return (int(found[1]), int(found[2] or 0)) if found else (99, 0)
