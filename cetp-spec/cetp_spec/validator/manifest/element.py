"""An XML element with its line and attributes: the one shape that source and binary manifests are read into."""

from collections.abc import Iterator

import msgspec

from cetp_spec.validator.manifest.values import Value

ANDROID = "http://schemas.android.com/apk/res/android"
TOOLS = "http://schemas.android.com/tools"
MAX_ELEMENTS = 50_000
"""Of one manifest; the largest apps have some twenty thousand."""


class Element(msgspec.Struct):
    """Attributes are keyed `android:name`, `tools:name` or, outside both namespaces, by their bare name."""

    tag: str
    line: int
    attributes: dict[str, Value] = {}
    children: list["Element"] = []

    def named(self, *tags: str) -> Iterator["Element"]:
        """Children with one of these tags."""
        return (child for child in self.children if child.tag in tags)

    def first(self, tag: str) -> "Element | None":
        return next(self.named(tag), None)

    def written(self, attribute: str) -> str:
        """The attribute's text as it stands there; empty when absent."""
        value = self.attributes.get(attribute)
        return value.text if value else ""


def attribute_key(namespace: str, name: str) -> str:
    """How an attribute is keyed in `Element.attributes`."""
    prefix = {ANDROID: "android:", TOOLS: "tools:"}.get(namespace, "")
    return prefix + name
