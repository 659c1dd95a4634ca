"""Reads a source AndroidManifest.xml, or a file of res/values, into elements with line numbers.

Hostile input is expected: no DTD, no entities, no network, bounded size and depth.
"""

from lxml import etree

from cetp_spec.validator.manifest.element import MAX_ELEMENTS, Element, attribute_key
from cetp_spec.validator.manifest.values import Form, Value
from cetp_spec.validator.text import quoted
from cetp_spec.validator.unreadable import Unreadable

MAX_XML_BYTES = 4 * 1024 * 1024
"""Manifests have kilobytes, merged ones of large apps a few hundred of them."""
_REMOVED = frozenset({"remove", "removeAll"})


def parse(content: bytes) -> etree._Element:
    """The root of an XML document.

    Raises:
        Unreadable: too large, not well-formed, or with a document type definition.
    """
    if len(content) > MAX_XML_BYTES:
        raise Unreadable("input.too-large", f"has {len(content)} bytes; XML is read up to {MAX_XML_BYTES}")
    # Entities are what makes XML explode. Zero bytes are dropped so that UTF-16 cannot hide the keyword.
    if b"<!DOCTYPE" in content.replace(b"\0", b""):
        raise Unreadable("xml.doctype", "holds a document type definition, which is not read")
    try:
        root = etree.fromstring(content, _parser())
    except etree.XMLSyntaxError as error:
        message = f"is not well-formed XML: {quoted(error.msg or 'unknown fault', 160)}"
        raise Unreadable("xml.syntax", message, line=error.lineno or 0) from error
    except (ValueError, LookupError) as error:
        raise Unreadable("xml.syntax", f"is not XML: {quoted(str(error), 160)}") from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise Unreadable("xml.doctype", "holds a document type definition, which is not read")
    return root


def read_source(content: bytes) -> Element:
    """The manifest as elements; what manifest merging takes out (`tools:node="remove"`) is left out.

    Raises:
        Unreadable: as `parse`, or too many elements, or the root is no `<manifest>`.
    """
    root = parse(content)
    if sum(1 for _ in root.iter()) > MAX_ELEMENTS:
        raise Unreadable("input.too-large", f"has more than {MAX_ELEMENTS} elements")
    if root.tag != "manifest":
        raise Unreadable("manifest.root", f"has the root <{root.tag}> instead of <manifest>", line=root.sourceline or 0)
    return _element(root)


def _parser() -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )


def _element(node: etree._Element) -> Element:
    # libxml2 refuses more than 256 levels, so this recursion is bounded.
    children = [_element(child) for child in node if isinstance(child.tag, str)]
    return Element(
        tag=str(node.tag),
        line=node.sourceline or 0,
        attributes={_key(str(name)): Value(Form.SOURCE, str(text)) for name, text in node.attrib.items()},
        children=[child for child in children if child.written("tools:node") not in _REMOVED],
    )


def _key(name: str) -> str:
    if not name.startswith("{"):
        return name
    namespace, _, local = name[1:].partition("}")
    return attribute_key(namespace, local)
