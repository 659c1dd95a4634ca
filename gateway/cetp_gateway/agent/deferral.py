"""Which tools a request carries when all would be too many or cost too much. Plain functions of values.

Above: `tool_offer`, `selection`. Below: api.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from cetp_gateway.agent.tool_search import label_of
from cetp_gateway.api import ToolSpec

NAMED_APPS: Final = 30
"""Apps that the system prompt names."""

_TOKENS_FOR_FRAME: Final = 12
"""What vendors' JSON around a tool costs."""

_encode = msgspec.json.Encoder().encode


class OfferLimits(msgspec.Struct, frozen=True):
    """What one request may carry."""

    max_tools: int
    token_budget: int = 0
    """Of all tools together, by `tool_tokens`; 0 is no limit."""


def tool_tokens(tool: ToolSpec) -> int:
    """What a request pays for a tool: a quarter of the UTF-8 bytes of its name, description and schema, and something
    for what is around them. An estimate, for budgets only; takes 1 µs, so it is not kept.
    """
    size = len(tool.name) + len(tool.description.encode("utf-8", "replace")) + len(_encode(tool.parameters))
    return size // 4 + _TOKENS_FOR_FRAME


def all_fit(tools: Sequence[ToolSpec], limits: OfferLimits) -> bool:
    """Looks at no more tools than fit."""
    if len(tools) > limits.max_tools:
        return False
    left = limits.token_budget or float("inf")
    if left == float("inf"):
        return True
    for tool in tools:
        left -= tool_tokens(tool)
        if left < 0:
            return False
    return True


def admitted(tools: Sequence[ToolSpec], order: Iterable[str], limits: OfferLimits) -> list[ToolSpec]:
    """The tools that come first by name and fit together, in the order of `tools`. The very first one always fits."""
    by_name = {tool.name: tool for tool in tools}
    left = limits.token_budget or float("inf")
    chosen: set[str] = set()
    for name in dict.fromkeys(order):
        tool = by_name.get(name)
        if tool is None:
            continue
        if len(chosen) >= limits.max_tools:
            break
        tokens = tool_tokens(tool)
        if tokens <= left or not chosen:
            chosen.add(name)
            left -= tokens
    return [tool for tool in tools if tool.name in chosen]


def more_tools_note(tools: Sequence[ToolSpec], search_name: str) -> str:
    """What the system prompt says of tools that are not shown. The same for the same apps, whichever are shown."""
    apps = Counter(label for tool in tools if (label := label_of(tool)))
    named = ", ".join(f"{label} {count}" for label, count in sorted(apps.items())[:NAMED_APPS])
    more = f" and {len(apps) - NAMED_APPS} more apps" if len(apps) > NAMED_APPS else ""
    return (
        f"There are {len(tools)} tools, more than you are shown; by app: {named}{more}. When none of those shown fits, "
        f"look for others with {search_name} before you say that something cannot be done."
    )
