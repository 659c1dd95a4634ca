"""The frames that tell a gateway which tools the phone offers. Plain functions of the catalog's tools.

Three ways: the whole list as a replacement (our gateway), the plain whole list (another ClawSeed gateway), or one
growing frame per tool, as the original Kotlin client does after every single registration.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from cetp_gateway.phone.catalog import CatalogTool

NO_PARAMETERS = {"type": "object", "properties": {}}
"""What a tool without a schema is registered with (spec 7.3)."""
_ROOM = 256
"""Bytes of a frame besides its tools, generously."""


class Registration(msgspec.Struct, frozen=True):
    """What is sent to make one state of the catalog known."""

    frames: list[bytes]
    """Each is answered by one `tools_registered`."""
    left_out: list[str] = []
    """Wire names of tools whose description or schema alone is larger than the gateway takes."""


def whole_list(tools: Iterable[CatalogTool], *, replace: bool, extended: bool, message_bytes: int) -> Registration:
    """The full list in as few frames as the gateway's limit allows; nearly always one.

    Args:
        tools: everything the phone offers; an empty list is one empty frame.
        replace: the first frame replaces what the gateway holds of this phone (`cetp.unregister`).
        extended: entries carry `provider` and `effect`.
        message_bytes: UTF-8 bytes that the gateway takes in one frame.
    """
    room = message_bytes - _ROOM
    entries = {tool.wire_name: msgspec.json.encode(entry(tool, extended=extended)) for tool in tools}
    parts = _parts([text for text in entries.values() if len(text) <= room], room)
    frames = [_frame(part, replace=replace and number == 0) for number, part in enumerate(parts)]
    return Registration(frames, [name for name, text in entries.items() if len(text) > room])


def growing_lists(tools: Iterable[CatalogTool]) -> Registration:
    """One frame per tool, each holding all tools so far: N frames, N·(N+1)/2 entries."""
    entries = [msgspec.json.encode(entry(tool, extended=False)) for tool in tools]
    return Registration([_frame(entries[: count + 1]) for count in range(len(entries))])


def entry(tool: CatalogTool, *, extended: bool) -> dict[str, Any]:
    """One tool as it is registered; in the old form a missing schema is `{}`, as the Kotlin client sends it."""
    parameters = tool.parameters
    if parameters is msgspec.UNSET or (extended and parameters in (None, {})):
        parameters = NO_PARAMETERS if extended else {}
    plain = {"name": tool.wire_name, "description": tool.description, "parameters": parameters}
    if not extended:
        return plain
    pack = tool.provider.pack
    origin = {"package": pack.package, "label": pack.label, "version": pack.version}
    return {**plain, "provider": origin, "effect": "reads"}


def _frame(entries: Sequence[bytes], *, replace: bool = False) -> bytes:
    head = b'{"type":"register_tools",' + (b'"replace":true,' if replace else b"")
    return head + b'"tools":[' + b",".join(entries) + b"]}"


def _parts(entries: Sequence[bytes], room: int) -> list[list[bytes]]:
    """Cut the list where the next entry would not fit; no entry makes one empty part."""
    parts: list[list[bytes]] = [[]]
    used = 0
    for text in entries:
        if parts[-1] and used + len(text) + 1 > room:
            parts.append([])
            used = 0
        parts[-1].append(text)
        used += len(text) + 1
    return parts
