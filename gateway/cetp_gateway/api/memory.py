"""The Memory extension point: what lasts beyond a session."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

import msgspec


class MemoryEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One remembered thing."""

    key: str
    content: str
    category: str = "core"
    """core, daily, conversation or a name of the owner's own."""
    namespace: str = "default"
    session_id: str = ""
    importance: float = 0.5
    """0 to 1."""
    created_at: datetime
    score: float | None = None
    """How well it fits a recall; None outside one."""


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

    async def store(self, entry: MemoryEntry) -> None: ...

    async def recall(self, query: str, *, limit: int = 10, namespace: str = "default") -> Sequence[MemoryEntry]: ...

    async def get(self, key: str, *, namespace: str = "default") -> MemoryEntry | None: ...

    async def list(self, *, category: str = "", namespace: str = "default") -> Sequence[MemoryEntry]: ...

    async def forget(self, key: str, *, namespace: str = "default") -> bool:
        """True when there was something to forget."""
        ...

    async def count(self) -> int: ...

    async def health(self) -> MemoryHealth: ...
