"""Params with limits that fit: a command with all its retries (pipe 7.3) ends before its call's deadline.

Plain functions of values.
"""

from collections.abc import Mapping
from typing import Any, Final

from cetp_gateway.pipe.frozen import DEFAULT_TIMEOUT_MS
from cetp_gateway.settings.pipe import PipeSettings
from cetp_spec.pipe import PipeCode, rule

LEAST_MS: Final = 100
"""Of `timeout_ms` (pipe 8.1)."""
MARGIN_MS: Final = 1000
"""For all that is not the action itself."""

_ON_ELEMENTS: Final = frozenset({"click", "type", "getText", "select", "press", "getAttribute", "scroll"})
_RETRIED: Final[Mapping[str, str]] = {
    **dict.fromkeys(_ON_ELEMENTS, PipeCode.CMD_SELECTOR_TIMEOUT),
    "navigate": PipeCode.CMD_NAVIGATION_FAILED,
}


def within(action: str, params: Mapping[str, Any], left_s: float, settings: PipeSettings) -> dict[str, Any]:
    """The params as they are sent.

    Args:
        action: one of the pipe's.
        params: as the model wrote them.
        left_s: until the call's deadline, seconds.
        settings: what holds when the model says nothing, and the longest text.
    """
    usual = settings.element_timeout_ms if action in _ON_ELEMENTS else DEFAULT_TIMEOUT_MS
    fitted = {**params, "timeout_ms": min(params.get("timeout_ms", usual), _most_ms(action, left_s))}
    if action == "getText":
        fitted["max_chars"] = min(params.get("max_chars", settings.text_chars), settings.text_chars)
    return fitted


def _most_ms(action: str, left_s: float) -> int:
    waits_ms = rule(_RETRIED[action]).waits_ms if action in _RETRIED else ()
    spare_ms = left_s * 1000 - MARGIN_MS - sum(waits_ms)
    return max(LEAST_MS, int(spare_ms / (len(waits_ms) + 1)))
