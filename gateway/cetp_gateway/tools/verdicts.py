"""What a host is told about each tool that it has offered. Above: `registry`. Below: `catalog`, `listing`."""

from collections.abc import Mapping, Sequence

from cetp_gateway.api import ToolState, ToolVerdict
from cetp_gateway.tools.catalog import Catalog
from cetp_gateway.tools.host_entry import HostEntry
from cetp_gateway.tools.listing import reason_of, state_of
from cetp_gateway.tools.toolset import StoredTool


def verdicts(
    catalog: Catalog, entry: HostEntry, judged: Sequence[StoredTool], kept: Mapping[str, StoredTool]
) -> list[ToolVerdict]:
    """One verdict per judged tool, in order; `kept` is what the host offers now, by wire name."""
    last = {tool.wire_name: number for number, tool in enumerate(judged)}
    return [
        _verdict(catalog, entry, tool, kept.get(tool.wire_name))
        if last[tool.wire_name] == number
        else _quarantined(tool, "a later tool of the same list has its name")
        for number, tool in enumerate(judged)
    ]


def refusal(tool: StoredTool) -> ToolVerdict:
    """The verdict on a tool whose host may offer nothing any more."""
    return _quarantined(tool, "its device has gone, or been replaced by a newer connection")


def _verdict(catalog: Catalog, entry: HostEntry, judged: StoredTool, tool: StoredTool | None) -> ToolVerdict:
    if tool is None:
        return _quarantined(judged, "its device offers far more tools than are taken (limits.tools_per_device)")
    if tool.state is ToolState.QUARANTINED:
        return _quarantined(tool, tool.reason)
    name = catalog.public_name(entry, tool.base) if entry.shared else tool.base
    if name == tool.wire_name:
        return ToolVerdict(wire_name=name, public_name=name, state=tool.state, reason=tool.reason)
    return ToolVerdict(
        wire_name=tool.wire_name,
        public_name=name,
        state=state_of(tool, name),
        reason=reason_of(catalog, tool, name),
    )


def _quarantined(tool: StoredTool, reason: str) -> ToolVerdict:
    return ToolVerdict(wire_name=tool.wire_name, public_name="", state=ToolState.QUARANTINED, reason=reason)
