"""The tool list for people: every tool with its state, quarantined ones included.

Above: `registry`. Below: `catalog`.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from cetp_gateway.api import ToolRow, ToolState
from cetp_gateway.tools.catalog import Catalog
from cetp_gateway.tools.host_entry import HostEntry
from cetp_gateway.tools.toolset import StoredTool

_decode = msgspec.json.Decoder(dict[str, Any]).decode


def rows_of_all(catalog: Catalog) -> Iterator[ToolRow]:
    """Built-in tools by name, then hosts by id, each with its tools by name."""
    for name in sorted(catalog.builtins):
        yield _builtin_row(catalog, name)
    for host_id in sorted(catalog.entries):
        entry = catalog.entries.get(host_id)
        if entry is not None:
            yield from rows_of_host(catalog, entry)


def rows_of_host(catalog: Catalog, entry: HostEntry) -> list[ToolRow]:
    """All tools of a host by name, quarantined ones last."""
    return in_order(_row(catalog, entry, tool) for tool in catalog.tools_of(entry))


def in_order(rows: Iterable[ToolRow]) -> list[ToolRow]:
    """Rows as people read them: built-in tools first, quarantined ones last, by name."""
    return sorted(rows, key=_place)


def _place(row: ToolRow) -> tuple[bool, bool, str, str]:
    return row.source_type != "builtin", row.state is ToolState.QUARANTINED, row.name, row.wire_name


def _builtin_row(catalog: Catalog, name: str) -> ToolRow:
    spec = catalog.builtins[name].spec
    objection = catalog.objection_to_builtin(name)
    return ToolRow(
        name=name,
        description=spec.description,
        parameters=spec.parameters,
        enabled=not objection,
        source_type="builtin",
        source="",
        wire_name=name,
        state=ToolState.ACCEPTED,
        reason=objection,
        effect=spec.effect,
    )


def _row(catalog: Catalog, entry: HostEntry, tool: StoredTool) -> ToolRow:
    held = tool.state is ToolState.QUARANTINED
    name = tool.wire_name if held else catalog.public_name(entry, tool.base)
    objection = "" if held else catalog.objection(entry, tool.base, name)
    return ToolRow(
        name=name,
        description=tool.description,
        parameters=_decode(tool.parameters),
        enabled=not held and not objection,
        source_type="mcp" if entry.server else "remote",
        source=entry.host.source,
        wire_name=tool.wire_name,
        state=state_of(tool, name),
        reason=objection or reason_of(catalog, tool, name),
        effect=tool.effect,
        device=entry.label,
        app=tool.app,
    )


def state_of(tool: StoredTool, name: str) -> ToolState:
    """A tool's state under this public name."""
    renamed = tool.state is ToolState.ACCEPTED and name != tool.wire_name
    return ToolState.RENAMED if renamed else tool.state


def reason_of(catalog: Catalog, tool: StoredTool, name: str) -> str:
    """What was done to a tool, its name included."""
    if tool.state is ToolState.QUARANTINED or name == tool.wire_name:
        return tool.reason
    if name != tool.base:
        renamed = "another device has a tool of this name"
    elif tool.wire_name in catalog.builtins:
        renamed = "its name belongs to a built-in tool"
    else:
        renamed = "a public name has 1 to 64 of A-Z a-z 0-9 _ -"
    return f"{tool.reason}; {renamed}" if tool.reason else renamed
