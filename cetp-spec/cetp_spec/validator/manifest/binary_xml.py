"""Reads the binary AndroidManifest.xml of an APK into elements, with the line numbers of its source.

`pyaxmlparser` decodes the chunks; it is the optional extra `apk`. Its lower layer keeps the types of values, which
its own XML output loses: a float would come out as text.
"""

import logging
import struct
from typing import Any

from cetp_spec.validator.manifest.element import MAX_ELEMENTS, Element, attribute_key
from cetp_spec.validator.manifest.values import Form, Value
from cetp_spec.validator.unreadable import Unreadable

MAGIC = b"\x03\x00\x08\x00"
MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 256
INSTALL = "pip install 'cetp-toolkit[apk]'"

_REFERENCES = frozenset({0x01, 0x07})
_TEXT, _FLOAT, _DECIMAL, _HEX, _BOOLEAN = 0x03, 0x04, 0x10, 0x11, 0x12
_START, _END, _END_DOCUMENT = 2, 3, 1


def read_binary(content: bytes) -> Element:
    """The manifest as elements.

    Raises:
        Unreadable: the extra is missing, or the bytes are no binary manifest.
    """
    if len(content) > MAX_BYTES:
        raise Unreadable("input.too-large", f"holds a manifest of {len(content)} bytes; read are up to {MAX_BYTES}")
    try:
        from pyaxmlparser.axmlparser import AXMLParser  # noqa: PLC0415 - an optional extra
    except ImportError as error:
        raise Unreadable("input.extra-missing", f"needs the optional extra for APKs: {INSTALL}") from error
    # The parser logs each oddity; what matters of them becomes a problem.
    logging.getLogger("pyaxmlparser").addHandler(logging.NullHandler())
    try:
        root = _tree(AXMLParser(content))
    except Unreadable:
        raise
    # On hostile bytes another's parser may raise anything.
    except Exception as error:
        raise Unreadable("apk.manifest", f"holds a binary manifest that breaks off ({type(error).__name__})") from error
    if root.tag != "manifest":
        raise Unreadable("manifest.root", "holds a binary XML whose root is not <manifest>")
    return root


def typed(kind: int, data: int, text: str) -> Value:
    """A value from its binary type (`Res_value.dataType`), its 32 bits, and the string that it may point to."""
    if kind in _REFERENCES:
        return Value(Form.REFERENCE, f"@{data:08x}") if data else Value(Form.TEXT, "")
    values = {
        _TEXT: Value(Form.TEXT, text),
        _FLOAT: Value(Form.FLOAT, _float_text(data)),
        _DECIMAL: Value(Form.INTEGER, str(data - (1 << 32) if data >> 31 else data)),
        _HEX: Value(Form.HEX, f"0x{data:x}"),
        _BOOLEAN: Value(Form.BOOLEAN, "true" if data else "false"),
    }
    return values.get(kind, Value(Form.OTHER, f"value {data:#x} of type {kind:#x}"))


def _float_text(data: int) -> str:
    # Seven digits are what a 32-bit float holds; 1.10 comes back as 1.1, as it does on the phone.
    (number,) = struct.unpack("<f", struct.pack("<I", data))
    text = f"{number:.7g}"
    return text if any(char in text for char in ".en") else f"{text}.0"


def _tree(parser: Any) -> Element:
    open_elements: list[Element] = []
    root: Element | None = None
    count = 0
    while parser.is_valid():
        event = next(parser)
        if event == _START:
            element = Element(str(parser.name), parser.m_lineNumber, _attributes(parser), [])
            root = root or element
            if open_elements:
                open_elements[-1].children.append(element)
            open_elements.append(element)
            count += 1
            if len(open_elements) > MAX_DEPTH or count > MAX_ELEMENTS:
                raise Unreadable("input.too-large", f"has over {MAX_ELEMENTS} elements or {MAX_DEPTH} levels")
        elif event == _END:
            open_elements.pop()
        elif event == _END_DOCUMENT:
            if root is not None and not open_elements:
                return root
            break
    raise Unreadable("apk.manifest", "holds a binary manifest that is broken")


def _attributes(parser: Any) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for index in range(parser.getAttributeCount()):
        value = typed(
            parser.getAttributeValueType(index), parser.getAttributeValueData(index), parser.getAttributeValue(index)
        )
        name = str(parser.getAttributeName(index))
        # Shrunk APKs leave names out; then the parser finds Android's own by number and puts the prefix in front.
        bare = name.startswith("android:")
        found[name if bare else attribute_key(str(parser.getAttributeNamespace(index)), name)] = value
    return found
