"""The Memory extension point: what lasts beyond a session."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Protocol

import msgspec

CORE = "core"
"""The category of lasting knowledge: in the snapshot, never pruned, never holding a tool's words by themselves."""
DAILY = "daily"
CONVERSATION = "conversation"


class MemoryAuthor(StrEnum):
    """Whose words an entry holds."""

    PERSON = "person"
    """A person wrote or confirmed it."""
    MODEL = "model"
    """A model wrote it. As core it is kept only when it rests on a person's words in its session."""
    TOOL = "tool"
    """Text of a tool, so data that nobody vouches for: never core."""


class MemorySource(msgspec.Struct, frozen=True, kw_only=True):
    """Where an entry came from; the session stands in the entry itself."""

    author: MemoryAuthor = MemoryAuthor.MODEL
    tool: str = ""
    """Public names of the tools whose text it holds, separated by blanks."""
    person: str = ""
    """Who said it, for instance the name of a paired device."""


class MemoryEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One remembered thing."""

    key: str
    content: str
    """Read from a store, an entry that a newer one contradicts begins with `[SUPERSEDED by 'key'] `."""
    category: str = CORE
    """core, daily, conversation or a name of the owner's own."""
    namespace: str = "default"
    session_id: str = ""
    importance: float = 0.5
    """0 to 1."""
    created_at: datetime
    updated_at: datetime | None = None
    """Last change; None before the entry is stored."""
    score: float | None = None
    """How well it fits a recall, 0 to 1; None outside one."""
    source: MemorySource = MemorySource()
    superseded_by: str = ""
    """Key of the newer core entry that contradicts this one."""


class MemoryFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which entries; empty values let all pass."""

    namespace: str = ""
    session_id: str = ""
    category: str = ""
    since: datetime | None = None
    """Created at this time or later."""
    until: datetime | None = None
    """Created before this time."""


class MemoryPage(msgspec.Struct, frozen=True):
    """A piece of an export, oldest first."""

    entries: Sequence[MemoryEntry]
    next: int | None = None
    """What to pass as `after` for the next piece; None at the end."""


class MemoryHealth(msgspec.Struct, frozen=True):
    """What the memory says of itself; `GET /api/status` shows it."""

    backend: str
    ok: bool
    detail: str = ""
    embedding_provider: str = "none"
    embedding_model: str = ""
    embedding_dims: int = 0
    search_mode: str = "none"


class Memory(Protocol):
    """Long-term memory. All calls raise StorageError when the store cannot be used."""

    async def store(self, entry: MemoryEntry) -> MemoryEntry:
        """Keep an entry, in place of one with the same key; what is kept now. That has another key when it says the
        same as an entry that was there, and another category when it may not be core. MemoryRefused when a field
        cannot be kept.
        """
        ...

    async def recall(
        self, query: str, *, limit: int = 10, namespace: str = "default", category: str = "", session_id: str = ""
    ) -> Sequence[MemoryEntry]:
        """The entries that fit any text best, best first."""
        ...

    async def get(self, key: str, *, namespace: str = "default") -> MemoryEntry | None: ...

    async def list(
        self, *, category: str = "", namespace: str = "default", session_id: str = "", limit: int | None = None
    ) -> Sequence[MemoryEntry]:
        """The newest first."""
        ...

    async def forget(self, key: str, *, namespace: str = "default") -> bool:
        """Remove an entry and every trace of its words; True when there was something to forget."""
        ...

    async def count(self, *, namespace: str = "", category: str = "") -> int:
        """In one namespace or category, or in all."""
        ...

    async def health(self) -> MemoryHealth: ...

    async def export(self, wanted: MemoryFilter, *, after: int = 0, limit: int = 1000) -> MemoryPage: ...

    async def restore(self, entries: Sequence[MemoryEntry]) -> int:
        """Take exported entries in as they are, all or none; how many. Those with a known key replace it."""
        ...
