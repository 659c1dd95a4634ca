"""Lists that devices send: tools, names, capabilities. Bad entries are left out, never an error of the whole.

A list may be as long as the message limit allows, so nothing here makes more objects than it was asked for.
Above: `protocol`. Below: `frames`.
"""

from contextlib import suppress
from functools import lru_cache

import msgspec
from msgspec import UNSET, Raw

from cetp_gateway.api import Effect, OfferedTool

SMALL_LIST_BYTES = 128 * 1024
"""Up to here a list is decoded in one go: its entries are few enough to stop the event loop for 1 ms at most."""


class _Provider(msgspec.Struct, gc=False):
    package: str = ""


class _PlainEntry(msgspec.Struct, gc=False):
    """What every client sends of a tool; all three are required."""

    name: str
    description: str
    parameters: Raw


class _Entry(_PlainEntry, gc=False):
    """What our bridge adds."""

    effect: str | None = None
    provider: _Provider | None = None


_EFFECTS = {effect.value: effect for effect in Effect}
_decode_entries = msgspec.json.Decoder(list[_Entry]).decode
_decode_entry = msgspec.json.Decoder(_Entry).decode
_decode_plain = msgspec.json.Decoder(_PlainEntry).decode
_decode_text = msgspec.json.Decoder(str).decode


class ToolList(msgspec.Struct, frozen=True):
    """`tools` in the order sent, bad entries left out; their `parameters` are views into the message."""

    tools: tuple[OfferedTool, ...]
    count: int
    """Entries received; those beyond the limit are not counted."""
    cut: bool
    """There were more entries than the limit."""


def read_tools(raw: Raw, most: int) -> ToolList:
    """The `tools` of a registration; `most` entries are read. What is no list counts as an empty one."""
    entries: list[_Entry] | None = None
    if memoryview(raw).nbytes <= SMALL_LIST_BYTES:
        with suppress(ValueError, RecursionError):
            entries = _decode_entries(raw)
    if entries is not None:
        return ToolList(tuple(map(_offered, entries[:most])), min(len(entries), most), len(entries) > most)
    raws, cut = first_entries(raw, most)
    tools = (_read_entry(entry) for entry in raws)
    return ToolList(tuple(tool for tool in tools if tool is not None), len(raws), cut)


def read_texts(raw: Raw, most: int) -> list[str] | None:
    """The texts among the first `most` entries of a list; None when it is no list."""
    if bytes(memoryview(raw)[:1]) != b"[":
        return None
    texts = []
    for entry in first_entries(raw, most)[0]:
        with suppress(ValueError, RecursionError):
            texts.append(_decode_text(entry))
    return texts


def first_entries(raw: Raw, most: int) -> tuple[list[Raw], bool]:
    """Up to `most` entries of a JSON array, unread, and whether there were more; nothing of what is no array."""
    try:
        head = _array_of(most + 1).decode(raw)
    except (ValueError, RecursionError):
        return [], False
    entries = [entry for entry in msgspec.structs.astuple(head) if entry is not UNSET]
    return entries[:most], len(entries) > most


@lru_cache(maxsize=8)
def _array_of(length: int) -> msgspec.json.Decoder[msgspec.Struct]:
    """A decoder that makes objects of the first `length` entries of an array and only skips the rest: a list type
    would make one of each of the two million entries that fit into a message.
    """
    fields = [(f"entry{number}", Raw, UNSET) for number in range(length)]
    return msgspec.json.Decoder(msgspec.defstruct("Head", fields, array_like=True))


def _read_entry(raw: Raw) -> OfferedTool | None:
    with suppress(ValueError, RecursionError):
        return _offered(_decode_entry(raw))
    # The bridge's own fields may be of a wrong type; the tool itself is fine then.
    with suppress(ValueError, RecursionError):
        plain = _decode_plain(raw)
        return OfferedTool(name=plain.name, description=plain.description, parameters=plain.parameters)
    return None


def _offered(entry: _Entry) -> OfferedTool:
    return OfferedTool(
        name=entry.name,
        description=entry.description,
        parameters=entry.parameters,
        effect=_EFFECTS.get(entry.effect or "", Effect.UNKNOWN),
        app=entry.provider.package if entry.provider else "",
    )
