"""Builds APKs by hand: binary manifest and resource table from their chunks (`ResourceTypes.h`), no Android tool."""

import io
import re
import struct
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

from lxml import etree

ANDROID = "http://schemas.android.com/apk/res/android"
NONE = 0xFFFFFFFF
REFERENCE, STRING, FLOAT, DECIMAL, HEX, BOOLEAN = 0x01, 0x03, 0x04, 0x10, 0x11, 0x12
ATTRIBUTE_IDS = {
    "label": 0x01010001,
    "name": 0x01010003,
    "permission": 0x01010006,
    "readPermission": 0x01010007,
    "writePermission": 0x01010008,
    "protectionLevel": 0x01010009,
    "enabled": 0x0101000E,
    "exported": 0x01010010,
    "authorities": 0x01010018,
    "initOrder": 0x0101001A,
    "value": 0x01010024,
    "resource": 0x01010025,
    "minSdkVersion": 0x0101020C,
    "targetSdkVersion": 0x01010270,
}
Typed = tuple[int, int | float | str]
"""Type and value of an attribute or resource."""
Resources = tuple[int, str, dict[int, Typed]]
"""Number of a resource type, language or `v29`, and values by entry."""
Index = Callable[[str], int]
"""Number of a string in the pool; adds it when it is new."""


def chunk(kind: int, header: bytes, body: bytes) -> bytes:
    """A chunk: type, size of its header, size of all."""
    body += b"\0" * (-len(body) % 4)
    return struct.pack("<HHI", kind, 8 + len(header), 8 + len(header) + len(body)) + header + body


def string_pool(strings: Sequence[str], *, utf8: bool) -> bytes:
    """Strings with their offsets, in UTF-8 or UTF-16."""
    pieces = [_utf8(text) if utf8 else _utf16(text) for text in strings]
    offsets = [sum(map(len, pieces[:index])) for index in range(len(pieces))]
    start = 28 + 4 * len(pieces)
    header = struct.pack("<IIIII", len(pieces), 0, 0x100 if utf8 else 0, start, 0)
    return chunk(0x0001, header, struct.pack(f"<{len(offsets)}I", *offsets) + b"".join(pieces))


def compile_manifest(source: str, references: dict[str, int] | None = None, *, nameless: bool = False) -> bytes:
    """The binary form of a source manifest.

    `references` gives `@string/…` its number; `nameless` leaves Android's attribute names out, as shrinkers do, so
    that only their numbers tell them.
    """
    root = etree.fromstring(source.encode())
    names = list(ATTRIBUTE_IDS)
    strings = ["" for _ in names] if nameless else list(names)
    strings += [ANDROID, "android"]

    def index(text: str) -> int:
        if text not in strings[len(names) :]:
            strings.append(text)
        return strings.index(text, len(names))

    body = _namespace(0x0100, index) + _element(root, index, references or {}) + _namespace(0x0101, index)
    resource_map = chunk(0x0180, b"", struct.pack(f"<{len(names)}I", *ATTRIBUTE_IDS.values()))
    return chunk(0x0003, b"", string_pool(strings, utf8=False) + resource_map + body)


def typed(text: str, references: dict[str, int]) -> Typed:
    """What the build tool makes of a literal; simpler than the real one, enough for tests."""
    if text.startswith("@"):
        return REFERENCE, references[text]
    if text in ("true", "false"):
        return BOOLEAN, NONE if text == "true" else 0
    if re.fullmatch(r"-?[0-9]{1,9}", text):
        return DECIMAL, int(text)
    if re.fullmatch(r"0x[0-9a-f]{1,8}", text):
        return HEX, int(text, 16)
    if re.fullmatch(r"[0-9]+\.[0-9]+|[0-9.]+e[0-9]+", text):
        return FLOAT, float(text)
    return STRING, text


def resource_table(
    types: Sequence[Resources],
    *,
    utf8: bool = True,
    sparse: bool = False,
    short: bool = False,
    compact: bool = False,
) -> bytes:
    """A resources.arsc: for each (type number, language or `v29`, entries) one chunk of package 0x7f."""
    values = [value for _, _, entries in types for _, value in entries.values() if isinstance(value, str)]
    strings = list(dict.fromkeys(values))
    chunks = b"".join(
        _type_chunk(number, qualifier, entries, strings, sparse=sparse, short=short, compact=compact)
        for number, qualifier, entries in types
    )
    header = struct.pack("<I", 0x7F) + b"\0" * 256 + struct.pack("<IIIII", 0, 0, 0, 0, 0)
    package = chunk(0x0200, header, chunks)
    return chunk(0x0002, struct.pack("<I", 1), string_pool(strings, utf8=utf8) + package)


def apk(manifest: bytes, table: bytes | None = None) -> bytes:
    """A zip with the two files that matter."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("AndroidManifest.xml", manifest)
        if table is not None:
            archive.writestr("resources.arsc", table)
    return buffer.getvalue()


def _utf8(text: str) -> bytes:
    encoded = text.encode()
    return _length8(len(text.encode("utf-16-le")) // 2) + _length8(len(encoded)) + encoded + b"\0"


def _length8(number: int) -> bytes:
    return bytes([number]) if number < 0x80 else bytes([0x80 | number >> 8, number & 0xFF])


def _utf16(text: str) -> bytes:
    encoded = text.encode("utf-16-le")
    return struct.pack("<H", len(encoded) // 2) + encoded + b"\0\0"


def _namespace(kind: int, index: Index) -> bytes:
    return chunk(kind, struct.pack("<II", 1, NONE), struct.pack("<II", index("android"), index(ANDROID)))


def _element(node: Any, index: Index, references: dict[str, int]) -> bytes:
    head = struct.pack("<II", node.sourceline, NONE)
    attributes = [_attribute(name, value, index, references) for name, value in node.attrib.items()]
    start = struct.pack("<IIHHHHHH", NONE, index(node.tag), 20, 20, len(attributes), 0, 0, 0)
    inside = b"".join(_element(child, index, references) for child in node)
    end = chunk(0x0103, head, struct.pack("<II", NONE, index(node.tag)))
    return chunk(0x0102, head, start + b"".join(attributes)) + inside + end


def _attribute(name: str, text: str, index: Index, references: dict[str, int]) -> bytes:
    android = name.startswith("{" + ANDROID + "}")
    local = name.partition("}")[2] or name
    kind, value = typed(text, references)
    raw = index(text) if kind == STRING else NONE
    where = list(ATTRIBUTE_IDS).index(local) if android and local in ATTRIBUTE_IDS else index(local)
    data = raw if kind == STRING else _bits(kind, value)
    return struct.pack("<IIIHBBI", index(ANDROID) if android else NONE, where, raw, 8, 0, kind, data)


def _bits(kind: int, value: int | float | str) -> int:
    if kind == FLOAT:
        return int(struct.unpack("<I", struct.pack("<f", value))[0])
    return int(value) & NONE


def _type_chunk(
    number: int,
    qualifier: str,
    entries: dict[int, Typed],
    strings: list[str],
    *,
    sparse: bool,
    short: bool,
    compact: bool,
) -> bytes:
    pieces: list[bytes] = []
    places: dict[int, int] = {}
    for entry, (kind, value) in sorted(entries.items()):
        places[entry] = sum(map(len, pieces))
        data = strings.index(value) if isinstance(value, str) else _bits(kind, value)
        plain = struct.pack("<HHIHBBI", 8, 0, 0, 8, 0, kind, data)
        pieces.append(struct.pack("<HHI", 0, kind << 8 | 0x0008, data) if compact else plain)
    count = len(places) if sparse else max(places) + 1
    if sparse:
        index = b"".join(struct.pack("<HH", entry, place // 4) for entry, place in places.items())
    elif short:
        index = b"".join(struct.pack("<H", places[entry] // 4 if entry in places else 0xFFFF) for entry in range(count))
        index += b"\0" * (-len(index) % 4)
    else:
        index = b"".join(struct.pack("<I", places.get(entry, NONE)) for entry in range(count))
    flags = 1 if sparse else 2 if short else 0
    config = _config(qualifier)
    header_size = 20 + len(config)
    header = struct.pack("<BBHII", number, flags, 0, count, header_size + len(index)) + config
    return chunk(0x0201, header, index + b"".join(pieces))


def _config(qualifier: str) -> bytes:
    config = bytearray(struct.pack("<I", 64) + b"\0" * 60)
    if re.fullmatch(r"v[0-9]+", qualifier):
        struct.pack_into("<H", config, 24, int(qualifier[1:]))
    else:
        config[8 : 8 + len(qualifier)] = qualifier.encode()
    return bytes(config)
