"""Looks single resources up in an APK's resources.arsc without reading the rest of it.

Such tables have megabytes and the validator needs two or three values, so chunks are skipped by their headers.
Format: `ResourceTypes.h` of the Android platform, with sparse and 16-bit offsets and compact entries.
"""

import struct
from collections.abc import Iterator

import msgspec

from cetp_spec.validator.manifest.binary_xml import typed
from cetp_spec.validator.manifest.resolution import Variant
from cetp_spec.validator.manifest.resources import MAX_CHAIN
from cetp_spec.validator.manifest.string_pool import StringPool
from cetp_spec.validator.manifest.values import Form

MAX_BYTES = 64 * 1024 * 1024
_STRING_POOL, _TABLE, _PACKAGE, _TYPE = 0x0001, 0x0002, 0x0200, 0x0201
_SPARSE, _SHORT_OFFSETS = 0x01, 0x02
_COMPLEX, _COMPACT = 0x0001, 0x0008
_NO_ENTRY = 0xFFFFFFFF


class _Chunk(msgspec.Struct, frozen=True):
    kind: int
    start: int
    header_size: int
    size: int


class ResourceTable:
    """Resources by number. Bytes that are no table raise struct.error or ValueError, here or in `find`."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        table = self._chunk(0)
        if table.kind != _TABLE:
            raise ValueError("resources.arsc does not begin as a resource table")
        chunks = list(self._inside(table))
        self._strings = StringPool(content, next(c.start for c in chunks if c.kind == _STRING_POOL))
        self._types = [
            (self._unpack("<I", package.start + 8)[0], chunk)
            for package in chunks
            if package.kind == _PACKAGE
            for chunk in self._inside(package)
            if chunk.kind == _TYPE
        ]

    def find(self, number: int, chain: int = 0) -> list[Variant]:
        """All values of the resource 0xPPTTEEEE in all configurations, pointers followed."""
        if chain >= MAX_CHAIN:
            return []
        found: list[Variant] = []
        for package, chunk in self._types:
            if package == number >> 24 and self._content[chunk.start + 8] == number >> 16 & 0xFF:
                found += self._variants(chunk, number & 0xFFFF, chain)
        return found

    def _variants(self, chunk: _Chunk, index: int, chain: int) -> list[Variant]:
        entry = self._entry(chunk, index)
        if entry is None:
            return []
        kind, data = entry
        value = typed(kind, data, self._strings.text(data) if kind == 0x03 else "")
        qualifier = self._qualifier(chunk)
        if value.form is Form.REFERENCE:
            return [Variant(qualifier or target.qualifier, target.value) for target in self.find(data, chain + 1)]
        return [Variant(qualifier, value)]

    def _entry(self, chunk: _Chunk, index: int) -> tuple[int, int] | None:
        """Type and 32 bits of the entry's value, or None when this configuration has none."""
        (entries_start,) = self._unpack("<I", chunk.start + 16)
        offset = self._offset(chunk, index)
        if offset is None:
            return None
        start = chunk.start + entries_start + offset
        size, flags = self._unpack("<HH", start)
        if flags & _COMPLEX:
            return None
        if flags & _COMPACT:
            return flags >> 8, self._unpack("<I", start + 4)[0]
        return self._content[start + size + 3], self._unpack("<I", start + size + 4)[0]

    def _offset(self, chunk: _Chunk, index: int) -> int | None:
        flags = self._content[chunk.start + 9]
        (count,) = self._unpack("<I", chunk.start + 12)
        first = chunk.start + chunk.header_size
        if flags & _SPARSE:
            pairs = struct.iter_unpack("<HH", self._content[first : first + 4 * min(count, 0xFFFF)])
            return next((offset * 4 for entry, offset in pairs if entry == index), None)
        if index >= count:
            return None
        if flags & _SHORT_OFFSETS:
            (short,) = self._unpack("<H", first + 2 * index)
            return None if short == 0xFFFF else short * 4
        (offset,) = self._unpack("<I", first + 4 * index)
        return None if offset == _NO_ENTRY else offset

    def _qualifier(self, chunk: _Chunk) -> str:
        start = chunk.start + 20
        (size,) = self._unpack("<I", start)
        config = self._content[start : start + min(size, 128)]
        if not any(config[4:]):
            return ""
        language = config[8:12].decode("ascii", errors="replace").strip("\0")
        (version,) = struct.unpack_from("<H", config, 24)
        return language or (f"v{version}" if version else "another configuration")

    def _inside(self, parent: _Chunk) -> Iterator[_Chunk]:
        position = parent.start + parent.header_size
        end = min(parent.start + parent.size, len(self._content))
        while position + 8 <= end:
            chunk = self._chunk(position)
            yield chunk
            position += chunk.size

    def _chunk(self, start: int) -> _Chunk:
        kind, header_size, size = self._unpack("<HHI", start)
        if header_size < 8 or size < header_size:
            raise ValueError("resources.arsc has a chunk that is shorter than its header")
        return _Chunk(kind, start, header_size, size)

    def _unpack(self, form: str, start: int) -> tuple[int, ...]:
        return struct.unpack_from(form, self._content, start)
