"""The framework's resource table in the form that Debian's aapt2 can read.

Since Android 15 the table holds compact entries and 16-bit offsets, which the tool (of Android 10) does not know; here
they are written out in the classic form. Formats: ResourceTypes.h of the Android Open Source Project.
"""

import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path

_PACKAGE, _TYPE, _STAGED_ALIASES = 0x0200, 0x0201, 0x0206
_SPARSE, _SHORT_OFFSETS = 0x01, 0x02
_COMPLEX, _COMPACT = 0x0001, 0x0008
_NOTHING, _SHORT_NOTHING = 0xFFFFFFFF, 0xFFFF


def write_include(framework: Path, target: Path) -> None:
    """Write what `aapt2 link -I` needs of the framework's jar: its manifest and its table."""
    with zipfile.ZipFile(framework) as source:
        manifest, table = source.read("AndroidManifest.xml"), source.read("resources.arsc")
    part = target.with_suffix(".part")
    with zipfile.ZipFile(part, "w") as include:
        include.writestr("AndroidManifest.xml", manifest, zipfile.ZIP_DEFLATED)
        include.writestr("resources.arsc", classic(table), zipfile.ZIP_STORED)
    part.replace(target)


def classic(table: bytes) -> bytes:
    """The same table without compact entries, 16-bit offsets and staged aliases."""
    _, header, size = struct.unpack_from("<HHI", table, 0)
    return _container(table[:header], _chunks(table, header, size))


def _container(header: bytes, children: Iterator[bytes]) -> bytes:
    body = b"".join(children)
    return header[:4] + struct.pack("<I", len(header) + len(body)) + header[8:] + body


def _chunks(table: bytes, start: int, end: int) -> Iterator[bytes]:
    while start + 8 <= end:
        kind, header, size = struct.unpack_from("<HHI", table, start)
        chunk = table[start : start + size]
        if kind == _TYPE:
            yield _classic_type(chunk, header)
        elif kind == _PACKAGE:
            yield _container(chunk[:header], _chunks(table, start + header, start + size))
        elif kind != _STAGED_ALIASES:
            yield chunk
        start += size


def _classic_type(chunk: bytes, header: int) -> bytes:
    """One configuration of one resource type: its entries one after another, found by 32-bit offsets."""
    kind, flags, reserved, count, first = struct.unpack_from("<BBHII", chunk, 8)
    entries = bytearray()
    places: dict[int, int] = {}
    for index, offset in _offsets(chunk, header, flags, count):
        places[index] = len(entries)
        entries += _classic_entry(chunk, first + offset)
    length = max(places, default=-1) + 1 if flags & _SPARSE else count
    offsets = b"".join(struct.pack("<I", places.get(number, _NOTHING)) for number in range(length))
    start = header + len(offsets)
    rewritten = bytearray(chunk[:header])
    struct.pack_into("<I", rewritten, 4, start + len(entries))
    struct.pack_into("<BBHII", rewritten, 8, kind, 0, reserved, length, start)
    return bytes(rewritten) + offsets + bytes(entries)


def _offsets(chunk: bytes, header: int, flags: int, count: int) -> Iterator[tuple[int, int]]:
    """Index and offset of each entry that is there."""
    if flags & _SPARSE:
        for number in range(count):
            index, quarter = struct.unpack_from("<HH", chunk, header + 4 * number)
            yield index, quarter * 4
    elif flags & _SHORT_OFFSETS:
        for index, quarter in enumerate(struct.unpack_from(f"<{count}H", chunk, header)):
            if quarter != _SHORT_NOTHING:
                yield index, quarter * 4
    else:
        for index, offset in enumerate(struct.unpack_from(f"<{count}I", chunk, header)):
            if offset != _NOTHING:
                yield index, offset


def _classic_entry(chunk: bytes, start: int) -> bytes:
    size, flags, key = struct.unpack_from("<HHI", chunk, start)
    if flags & _COMPACT:  # the key stands in the place of the size, the value in that of the key
        return struct.pack("<HHI", 8, flags & 0xFF & ~_COMPACT, size) + struct.pack("<HBBI", 8, 0, flags >> 8, key)
    if flags & _COMPLEX:
        (values,) = struct.unpack_from("<I", chunk, start + 12)
        return chunk[start : start + 16 + 12 * values]
    return chunk[start : start + 16]
