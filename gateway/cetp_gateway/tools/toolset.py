"""Toolsets: what a host offers, as one deflated text. Equal ones exist once; nothing of them is unpacked before use.

A thousand phones with the same apps cost one copy, and phones that differ cost one or two KiB each.
Above: `catalog`. Below: `name_table`. Knows nothing of hosts.
"""

import zlib
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from hashlib import blake2b
from weakref import WeakValueDictionary

import msgspec

from cetp_gateway.api import Effect, ToolState
from cetp_gateway.lru import Lru
from cetp_gateway.tools.name_table import NameTable

_YOUNG = 4
"""New toolsets wait as plain text: a client that registers its tools one by one replaces them at once."""
_UNPACKED = 16
_PIECE = 64 * 1024
"""Bytes that are deflated in one go: a fraction of a millisecond even for random text."""


class StoredTool(msgspec.Struct, array_like=True, gc=False):
    """One judged tool."""

    wire_name: str
    base: str
    """Public name while no other host offers it; empty when quarantined."""
    description: str
    parameters: msgspec.Raw
    effect: Effect
    app: str
    state: ToolState
    """ACCEPTED, REPAIRED or QUARANTINED; whether it is renamed shows in its names."""
    reason: str


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(list[StoredTool]).decode


class Toolset:
    """The tools of a host: first the offered ones in the order of `names`, then the quarantined ones."""

    __slots__ = ("__weakref__", "_deflated", "_text", "digest", "names", "quarantined")

    def __init__(self, digest: bytes, text: bytes, names: NameTable, quarantined: int) -> None:
        self.digest = digest
        self.names = names
        self.quarantined = quarantined
        self._text = text
        self._deflated = False

    def is_empty(self) -> bool:
        return not self.names and not self.quarantined

    def deflate(self) -> Iterator[None]:
        """Give memory back, in steps that are short enough for the event loop."""
        if self._deflated:
            return
        pieces = []
        deflater = zlib.compressobj(1)
        for start in range(0, len(self._text), _PIECE):
            pieces.append(deflater.compress(self._text[start : start + _PIECE]))
            yield
        self._text = b"".join((*pieces, deflater.flush()))
        self._deflated = True

    def text(self) -> bytes:
        return zlib.decompress(self._text) if self._deflated else self._text


class ToolsetStore:
    """Makes toolsets, finds equal ones, and unpacks them."""

    def __init__(self) -> None:
        self._known: WeakValueDictionary[bytes, Toolset] = WeakValueDictionary()
        self._tables: WeakValueDictionary[bytes, NameTable] = WeakValueDictionary()
        self._young: deque[Toolset] = deque()
        self._unpacked: Lru[bytes, list[StoredTool]] = Lru(_UNPACKED)

    def make(self, tools: Iterable[StoredTool]) -> Generator[None, None, Toolset]:
        """The toolset of these tools, whose bases are distinct; the same object for the same tools."""
        ordered = sorted(tools, key=_place)
        text = _encode(ordered)
        yield
        digest = blake2b(text, digest_size=16).digest()
        known = self._known.get(digest)
        if known is not None:
            return known
        names = self._table(ordered)
        toolset = Toolset(digest, text, names, len(ordered) - len(names))
        if len(text) > _PIECE:
            yield from toolset.deflate()
        else:
            self._keep_young(toolset)
        self._known[digest] = toolset
        return toolset

    def unpack(self, toolset: Toolset) -> list[StoredTool]:
        """Its tools; must not be changed."""
        tools = self._unpacked.get(toolset.digest)
        if tools is None:
            tools = self._unpacked.put(toolset.digest, _decode(toolset.text()))
        return tools

    def _table(self, ordered: Sequence[StoredTool]) -> NameTable:
        hashes = [hash(tool.base) for tool in ordered if tool.base]
        table = NameTable(hashes)
        key = blake2b(table.hashes, digest_size=16).digest()
        return self._tables.setdefault(key, table)

    def _keep_young(self, toolset: Toolset) -> None:
        self._young.append(toolset)
        if len(self._young) > _YOUNG:
            for _ in self._young.popleft().deflate():
                pass


def _place(tool: StoredTool) -> tuple[bool, int, str]:
    return (not tool.base, hash(tool.base), tool.wire_name)
