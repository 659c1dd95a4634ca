"""Reads the pipe's vector files (pipe 12) into small frozen objects.

Knows their layout and nothing of what they are about. All raise msgspec.ValidationError, naming the place, when a file
has another layout.
"""

from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from cetp_spec import data


class Case(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all have."""

    description: str
    section: str


class KeyCase(Case, frozen=True, kw_only=True):
    """A seed and its key in hex; False where the seed is refused (pipe 6.1)."""

    seed: str
    key: str | Literal[False]


class StableCase(Case, frozen=True, kw_only=True):
    """JSON text and its stable form, also in hex; False where it is refused with the code (pipe 6.3)."""

    json: str
    stable: str | Literal[False]
    hex: str = ""
    code: str = ""


class SignatureCase(Case, frozen=True, kw_only=True):
    """A command, the bytes on the way to its signature in hex, and the signature (pipe 6.2)."""

    seed: str
    seq: int
    action: str
    params: str
    expected_domain: str
    stable: str
    canonical: str
    hmac: str


class HmacCase(Case, frozen=True, kw_only=True):
    """What stands in place of a signature, and the code that answers it (pipe 6.4)."""

    value: Any
    code: str
    repeat: int = 1

    @property
    def sent(self) -> Any:
        """What to send as `hmac`; False: leave it out."""
        return self.value * self.repeat if isinstance(self.value, str) else self.value


class ChunksCase(Case, frozen=True, kw_only=True):
    """Chunks of bytes in hex and the lines that they make (pipe 3.1)."""

    chunks: tuple[str, ...]
    lines: tuple[str | Literal[False], ...]
    dropped: int
    splits: bool = False


class SizeCase(Case, frozen=True, kw_only=True):
    """A line of so many bytes, and whether it is taken (pipe 3.2)."""

    bytes: int
    taken: bool
    ended: bool = True


class LineCase(Case, frozen=True, kw_only=True):
    """A line and what answers it in a running session (pipe 5.5)."""

    code: str
    seq: int
    text: str = ""
    hex: str = ""

    @property
    def line(self) -> bytes:
        """Without its line feed."""
        return bytes.fromhex(self.hex) if self.hex else self.text.encode()


class MessageCase(msgspec.Struct, frozen=True, kw_only=True):
    """A value and whether it fits a schema (pipe 12.1)."""

    group: str
    section: str
    schema: str
    description: str
    data: Any
    valid: bool

    @property
    def name(self) -> str:
        """Unique among all, readable as a sentence."""
        return f"{self.group}: {self.description}"


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a conversation."""

    kind: Literal[
        "host", "agent", "host_text", "agent_text", "agent_padded", "host_closes", "agent_closes", "host_kills",
        "runs", "ask", "outcome", "passes_ms", "circuit",
    ]  # fmt: skip
    content: Any


class Conversation(msgspec.Struct, frozen=True, kw_only=True):
    """What both sides say, and what happens around them (pipe 12.4)."""

    file: str
    description: str
    section: str
    tests: tuple[Literal["host", "agent"], ...]
    seed: str
    steps: tuple[Step, ...]

    @property
    def needs_page(self) -> bool:
        """Commands of it are carried out, so a browser must do as it says."""
        return any(step.kind == "runs" for step in self.steps)


class _Test(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    description: str
    data: Any
    valid: bool


class _Group(Case, frozen=True, kw_only=True):
    schema: str
    tests: tuple[_Test, ...]


class _ConversationFile(Case, frozen=True, kw_only=True):
    tests: tuple[Literal["host", "agent"], ...]
    seed: str
    steps: tuple[dict[str, Any], ...]


_T = TypeVar("_T")


def folder() -> Path:
    """Where the files lie."""
    return data.root() / "pipe" / "vectors"


def messages() -> list[MessageCase]:
    """All of pipe 12.1."""
    return [
        MessageCase(
            group=group.description,
            section=group.section,
            schema=group.schema,
            description=test.description,
            data=test.data,
            valid=test.valid,
        )
        for group in _read("messages", tuple[_Group, ...])
        for test in group.tests
    ]


def keys() -> tuple[KeyCase, ...]:
    """Seeds and keys."""
    return _read("keys", tuple[KeyCase, ...])


def stable_json() -> tuple[StableCase, ...]:
    """Texts and their stable forms."""
    return _read("stable_json", tuple[StableCase, ...])


def signatures() -> tuple[SignatureCase, ...]:
    """Commands and their signatures."""
    return _read("signatures", tuple[SignatureCase, ...])


def refused_hmacs() -> tuple[HmacCase, ...]:
    """What is no signature of command 1, `getPage` without params on example.org, with the first seed of `keys`."""
    return _read("refused_hmacs", tuple[HmacCase, ...])


def chunks() -> tuple[ChunksCase, ...]:
    """Bytes and lines."""
    return _read("chunks", tuple[ChunksCase, ...])


def sizes() -> tuple[SizeCase, ...]:
    """Lines around the limit."""
    return _read("sizes", tuple[SizeCase, ...])


def refused_lines() -> tuple[LineCase, ...]:
    """Lines that are no command, each for a session of its own."""
    return _read("refused_lines", tuple[LineCase, ...])


def conversations() -> list[Conversation]:
    """All of pipe 12.4."""
    return [_conversation(path) for path in sorted((folder() / "conversations").glob("*.json"))]


def _read(name: str, type_: type[_T]) -> _T:
    return msgspec.json.decode((folder() / f"{name}.json").read_bytes(), type=type_)


def _conversation(path: Path) -> Conversation:
    content = msgspec.json.decode(path.read_bytes(), type=_ConversationFile)
    steps = [msgspec.convert({"kind": kind, "content": step[kind]}, Step) for step in content.steps for kind in step]
    return Conversation(
        file=path.stem,
        description=content.description,
        section=content.section,
        tests=content.tests,
        seed=content.seed,
        steps=tuple(steps),
    )
