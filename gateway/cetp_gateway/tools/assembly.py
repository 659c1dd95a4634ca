"""Puts judged tools together to the set that a host offers: newest wins, limits of the whole, distinct names.

Plain functions of values. Above: `registry`. Below: `names`, `toolset`.
"""

from collections.abc import Container, Iterable, Sequence

import msgspec

from cetp_gateway.api import Effect, ToolState
from cetp_gateway.settings.limits import LimitSettings
from cetp_gateway.tools.names import base_names
from cetp_gateway.tools.toolset import StoredTool

_NO_SCHEMA_BYTES = 2
"""`{}`: what is kept of most quarantined tools."""


def combine(
    before: Iterable[StoredTool], offered: Sequence[StoredTool], protected: Container[str], limits: LimitSettings
) -> dict[str, StoredTool]:
    """The whole set by wire name.

    Args:
        before: what the host offered before and still does; its objects are not changed.
        offered: new tools, which replace those of the same wire name; their objects are changed.
        protected: names of built-in tools.
        limits: how many tools and bytes a host may offer.
    """
    tools = {tool.wire_name: tool for tool in before}
    tools.update((tool.wire_name, tool) for tool in offered)
    _hold_surplus(tools, limits)
    bases = base_names((wire for wire, tool in tools.items() if tool.state is not ToolState.QUARANTINED), protected)
    for wire, base in bases.items():
        tool = tools[wire]
        if not tool.base:
            tool.base = base
        elif tool.base != base:
            tools[wire] = msgspec.structs.replace(tool, base=base)
    return tools


def _hold_surplus(tools: dict[str, StoredTool], limits: LimitSettings) -> None:
    """Quarantine what is too much, and forget what of that is too much to be shown."""
    taken = held = size = 0
    for wire, tool in list(tools.items()):
        if tool.state is not ToolState.QUARANTINED:
            size += len(tool.description) + memoryview(tool.parameters).nbytes
            reason = _surplus(taken, size, limits)
            if not reason:
                taken += 1
                continue
            tools[wire] = _without_content(tool, reason)
        elif memoryview(tool.parameters).nbytes > _NO_SCHEMA_BYTES:
            size += len(tool.description) + memoryview(tool.parameters).nbytes
            if size > limits.toolset_bytes:
                tools[wire] = _without_content(tool, tool.reason)
        held += 1
        if held > limits.tools_per_device:
            del tools[wire]


def _surplus(taken: int, size: int, limits: LimitSettings) -> str:
    if taken >= limits.tools_per_device:
        return f"its device offers more than {limits.tools_per_device} tools (limits.tools_per_device)"
    if size > limits.toolset_bytes:
        return f"the tools of its device have more than {limits.toolset_bytes} bytes together (limits.toolset_bytes)"
    return ""


def _without_content(tool: StoredTool, reason: str) -> StoredTool:
    return msgspec.structs.replace(
        tool,
        base="",
        description=tool.description[:500],
        parameters=msgspec.Raw(b"{}"),
        effect=Effect.UNKNOWN,
        state=ToolState.QUARANTINED,
        reason=reason,
    )
