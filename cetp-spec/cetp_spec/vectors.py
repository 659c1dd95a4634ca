"""Reads the vector files (spec 14) into small frozen objects.

Knows their layout and nothing of what they are about; the tests of each language run them.
"""

from pathlib import Path
from typing import Any, Literal

import msgspec

from cetp_spec import data

NAMESPACING = "namespacing.json"
PAIRING_LINKS = "pairing_links.json"
WRITING_WORDS = "writing_words.json"
CONVERSATIONS = "conversations"


class _Frozen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all: values cannot change, a misspelt key is an error."""


class Vector(_Frozen, frozen=True, kw_only=True):
    """One value and whether it fits a schema (spec 14.1)."""

    file: str
    group: str
    section: str
    schema: str
    """One of `schemas.KINDS`."""
    description: str
    data: Any
    valid: bool

    @property
    def name(self) -> str:
        """Unique among all vectors, readable as a sentence."""
        return f"{self.file}: {self.group}: {self.description}"


class LabelCase(_Frozen, frozen=True, kw_only=True):
    """All packages of a phone, each with the label it gets (spec 8.1)."""

    description: str
    section: str
    labels: dict[str, str]


class NameCase(_Frozen, frozen=True, kw_only=True):
    """All tools of a phone by package, each with its public name; False where it cannot be named (spec 8.2)."""

    description: str
    section: str
    names: dict[str, dict[str, str | bool]]


class FitCase(_Frozen, frozen=True, kw_only=True):
    """One name made legal; False where it cannot be (spec 8.3)."""

    description: str
    section: str
    name: str
    stands_for: str
    fitted: str | bool
    attempt: int = 1


class Namespacing(_Frozen, frozen=True, kw_only=True):
    """All cases of the naming rule (spec 14.2)."""

    labels: tuple[LabelCase, ...]
    names: tuple[NameCase, ...]
    fit: tuple[FitCase, ...]


class WritingCase(_Frozen, frozen=True, kw_only=True):
    """A tool's name, and the word by which it says that the tool writes; False when it does not (spec 14.5)."""

    description: str
    section: str
    name: str
    word: str | bool


class FakeProvider(_Frozen, frozen=True, kw_only=True):
    """An app behind the device of a conversation."""

    tools: tuple[dict[str, Any], ...]
    replies: dict[str, Any]
    """The provider's tool name, then the reply to `execute_tool`; False: it never answers."""


StepKind = Literal[
    "device",
    "device_text",
    "device_closes",
    "gateway",
    "gateway_closes",
    "model",
    "call",
    "cancel",
    "outcome",
    "owner",
]


class Step(_Frozen, frozen=True, kw_only=True):
    """One line of a conversation."""

    kind: StepKind
    content: Any
    note: str = ""
    wrong: str = ""
    """What is wrong with a `device` frame on purpose; empty when nothing is."""

    @property
    def patterns(self) -> tuple[Any, ...]:
        """Of a `gateway` step: the frames to expect, in any order."""
        return tuple(self.content) if isinstance(self.content, list) else (self.content,)


class Conversation(_Frozen, frozen=True, kw_only=True):
    """Frames in, frames out (spec 14.3)."""

    file: str
    description: str
    section: str
    requires: tuple[str, ...]
    """Capabilities without which it cannot be played."""
    providers: dict[str, FakeProvider]
    steps: tuple[Step, ...]


class LinkParts(_Frozen, frozen=True, kw_only=True):
    """What a pairing link says (spec 13.5)."""

    gateway: str
    code: str
    pin: str | None = None


class LinkCase(_Frozen, frozen=True, kw_only=True):
    """A text and what a phone reads in it; False where it is refused (spec 14.6)."""

    description: str
    section: str
    link: str
    reads: LinkParts | Literal[False]


class _Test(_Frozen, frozen=True, kw_only=True):
    description: str
    data: Any
    valid: bool


class _Group(_Frozen, frozen=True, kw_only=True):
    description: str
    section: str
    schema: str
    tests: tuple[_Test, ...]


class _ConversationFile(_Frozen, frozen=True, kw_only=True):
    description: str
    section: str
    steps: tuple[dict[str, Any], ...]
    requires: tuple[str, ...] = ()
    providers: dict[str, FakeProvider] = {}


def vector_files() -> list[Path]:
    """The files of vectors that fit or do not fit a schema, in the order of their names."""
    others = {NAMESPACING, PAIRING_LINKS, WRITING_WORDS}
    return sorted(path for path in data.vectors_folder().glob("*.json") if path.name not in others)


def conversation_files() -> list[Path]:
    """The files of conversations, in the order of their names."""
    return sorted((data.vectors_folder() / CONVERSATIONS).glob("*.json"))


def vectors() -> list[Vector]:
    """All of spec 14.1. Raises msgspec.ValidationError, naming the place, when a file has another layout."""
    return [vector for path in vector_files() for vector in _vectors_in(path)]


def namespacing() -> Namespacing:
    """All of spec 14.2. Raises msgspec.ValidationError, naming the place, when the file has another layout."""
    return msgspec.json.decode((data.vectors_folder() / NAMESPACING).read_bytes(), type=Namespacing)


def writing_words() -> tuple[WritingCase, ...]:
    """All of spec 14.5. Raises msgspec.ValidationError, naming the place, when the file has another layout."""
    return msgspec.json.decode((data.vectors_folder() / WRITING_WORDS).read_bytes(), type=tuple[WritingCase, ...])


def pairing_links() -> tuple[LinkCase, ...]:
    """All of spec 14.6. Raises msgspec.ValidationError, naming the place, when the file has another layout."""
    return msgspec.json.decode((data.vectors_folder() / PAIRING_LINKS).read_bytes(), type=tuple[LinkCase, ...])


def conversations() -> list[Conversation]:
    """All of spec 14.3. Raises msgspec.ValidationError, naming the place, when a file has another layout."""
    return [_conversation_in(path) for path in conversation_files()]


def _vectors_in(path: Path) -> list[Vector]:
    return [
        Vector(
            file=path.stem,
            group=group.description,
            section=group.section,
            schema=group.schema,
            description=test.description,
            data=test.data,
            valid=test.valid,
        )
        for group in msgspec.json.decode(path.read_bytes(), type=tuple[_Group, ...])
        for test in group.tests
    ]


def _conversation_in(path: Path) -> Conversation:
    content = msgspec.json.decode(path.read_bytes(), type=_ConversationFile)
    return Conversation(
        file=path.stem,
        description=content.description,
        section=content.section,
        requires=content.requires,
        providers=content.providers,
        steps=tuple(_step(raw) for raw in content.steps),
    )


def _step(raw: dict[str, Any]) -> Step:
    remarks: dict[str, Any] = {key: raw[key] for key in ("note", "wrong") if key in raw}
    ((kind, content),) = [item for item in raw.items() if item[0] not in remarks]
    return msgspec.convert({"kind": kind, "content": content, **remarks}, Step)
