"""What kinds of input there are, and how to tell them apart by their content."""

from enum import StrEnum
from typing import Any

from cetp_spec.validator.manifest.binary_xml import MAGIC


class Kind(StrEnum):
    """What an input is taken for; the values are those of `--kind`."""

    MANIFEST = "manifest"
    """AndroidManifest.xml, source or binary."""
    APK = "apk"
    LIST_TOOLS = "list-tools"
    """The data of a list_tools reply, or the whole reply."""
    TOOL = "tool"
    """One tool of such a list."""
    PROVIDER_INFO = "provider-info"
    """The data of a get_provider_info reply, or the whole reply."""
    REPLY = "reply"
    """Any reply Bundle as JSON."""


JSON_KINDS = frozenset({Kind.LIST_TOOLS, Kind.TOOL, Kind.PROVIDER_INFO, Kind.REPLY})
_ZIP = b"PK\x03\x04"
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def kind_of_bytes(content: bytes) -> Kind | None:
    """APK or manifest by the first bytes; None for what may be JSON."""
    if content.startswith(_ZIP):
        return Kind.APK
    if content.startswith(MAGIC):
        return Kind.MANIFEST
    start = content[:1024]
    for mark in _MARKS:
        start = start.removeprefix(mark)
    return Kind.MANIFEST if start.replace(b"\0", b"").lstrip().startswith(b"<") else None


def kind_of_json(document: Any) -> Kind | None:
    """Kind of a decoded JSON document by its members; None when it is like none of them."""
    if isinstance(document, list):
        return Kind.LIST_TOOLS if any(_looks_like_tool(item) for item in document[:10]) else None
    if not isinstance(document, dict):
        return None
    if _looks_like_tool(document) and not _TELLING.keys() & document.keys():
        return Kind.TOOL
    return next((kind for member, kind in _TELLING.items() if member in document), None)


_TELLING = {
    "status": Kind.REPLY,
    "error_code": Kind.REPLY,
    "tools": Kind.LIST_TOOLS,
    "provider_name": Kind.PROVIDER_INFO,
    "scopes": Kind.PROVIDER_INFO,
    "data": Kind.REPLY,
}
"""Members that tell the kind, the most telling first."""


def _looks_like_tool(item: Any) -> bool:
    return isinstance(item, dict) and "name" in item and ("parameters" in item or "description" in item)
