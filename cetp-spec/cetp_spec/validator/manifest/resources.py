"""The `res/values*` folders of a source project: strings, integers and booleans by name, in every configuration."""

import re
from pathlib import Path

import msgspec
from lxml import etree

from cetp_spec.validator.manifest.resolution import Variant
from cetp_spec.validator.manifest.source import parse
from cetp_spec.validator.manifest.values import Form, Value, literal, unescaped
from cetp_spec.validator.unreadable import Unreadable

KINDS = frozenset({"string", "integer", "bool"})
"""Resource types that make sense as an authority, a version or a flag."""
MAX_FILES = 4000
MAX_TOTAL_BYTES = 64 * 1024 * 1024
MAX_CHAIN = 8
"""A resource may point to another; so many steps are followed."""
_REFERENCE = re.compile(r"@\+?(?:([\w.]+):)?(\w+)/([\w.]+)")
_SPACES = re.compile(r"[ \t\r\n]+")


class Reference(msgspec.Struct, frozen=True):
    """`@kind/name`, with the package in front when there is one."""

    package: str
    kind: str
    name: str


def read_reference(text: str) -> Reference | None:
    """The parts of `@string/name`, or None when the text is no such pointer."""
    match = _REFERENCE.fullmatch(text.strip())
    return Reference(match.group(1) or "", match.group(2), match.group(3)) if match else None


class SourceResources:
    """Looks names up in the XML files of some `res` folders; files are read when a name is first asked for."""

    def __init__(self, folders: list[Path], generated: dict[tuple[str, str], str] | None = None) -> None:
        """`generated` are values that the build file adds (`resValue`), by kind and name."""
        self._folders = folders
        self._generated = generated or {}
        self._files: list[tuple[str, bytes]] | None = None
        self.broken: list[tuple[Path, Unreadable]] = []
        """Files that could not be read, found so far."""
        self._paths: list[Path] = []

    @property
    def at_hand(self) -> bool:
        """Whether there is any folder to look in."""
        return bool(self._folders or self._generated)

    def find(self, reference: Reference, chain: int = 0) -> list[Variant]:
        """All values of the resource, pointers followed; empty when it is not there or its pointers loop."""
        if chain >= MAX_CHAIN or reference.kind not in KINDS:
            return []
        found: list[Variant] = []
        for variant in self._written(reference):
            further = read_reference(variant.value.text) if variant.value.form is Form.REFERENCE else None
            if further is None:
                found.append(variant)
                continue
            for target in self.find(further, chain + 1):
                qualifiers = (part for part in (variant.qualifier, target.qualifier) if part)
                found.append(Variant("+".join(qualifiers), target.value))
        return found

    def _written(self, reference: Reference) -> list[Variant]:
        generated = self._generated.get((reference.kind, reference.name))
        found = [] if generated is None else [Variant("", _typed(reference.kind, generated))]
        # Most files do not hold the name; looking for its bytes is far quicker than reading the XML.
        needle = reference.name.encode()
        for number, (qualifier, content) in enumerate(self._load()):
            if needle in content:
                found += [Variant(qualifier, value) for value in self._values(number, content, reference)]
        return found

    def _values(self, number: int, content: bytes, reference: Reference) -> list[Value]:
        try:
            root = parse(content)
        except Unreadable as fault:
            if all(path != self._paths[number] for path, _ in self.broken):
                self.broken.append((self._paths[number], fault))
            return []
        return [
            _typed(reference.kind, _text(node))
            for node in root
            if node.get("name") == reference.name and _kind(node) == reference.kind
        ]

    def _load(self) -> list[tuple[str, bytes]]:
        if self._files is None:
            self._files = []
            total = 0
            for path in self._listed():
                total += path.stat().st_size
                if total > MAX_TOTAL_BYTES:
                    fault = Unreadable("input.too-large", f"res/values is read up to {MAX_TOTAL_BYTES} bytes in all")
                    self.broken.append((path, fault))
                    break
                self._paths.append(path)
                self._files.append((path.parent.name.partition("-")[2], path.read_bytes()))
        return self._files

    def _listed(self) -> list[Path]:
        paths = (path for folder in self._folders for path in sorted(folder.glob("values*/*.xml")) if path.is_file())
        return [path for path, _ in zip(paths, range(MAX_FILES), strict=False)]


def _kind(node: etree._Element) -> str:
    return str(node.get("type", "")) if node.tag == "item" else str(node.tag)


def _text(node: etree._Element) -> str:
    return "".join(str(part) for part in node.itertext())


def _typed(kind: str, text: str) -> Value:
    value = literal(text)
    if value.form is Form.REFERENCE or kind != "string":
        return value
    collapsed = _SPACES.sub(" ", text).strip()
    if len(collapsed) > 1 and collapsed[0] == collapsed[-1] == '"':
        collapsed = collapsed[1:-1]
    return Value(Form.TEXT, unescaped(collapsed))
