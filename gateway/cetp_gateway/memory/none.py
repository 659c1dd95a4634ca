"""The memory that keeps nothing: stands in where there is no other. Below: api."""

from collections.abc import Sequence

from cetp_gateway.api import MemoryEntry, MemoryFilter, MemoryHealth, MemoryPage

_CHOSEN = "No memory is configured: nothing lasts beyond a session."


class NoMemory:
    """Implements Memory. Storing is accepted and forgotten at once; nothing is ever found.

    Args:
        reason: why there is no other; empty when that was the owner's choice. Shown as a fault by `health`.
    """

    def __init__(self, reason: str = "") -> None:
        self._reason = reason

    async def store(self, entry: MemoryEntry) -> MemoryEntry:
        """Keep nothing; `health` says so."""
        return entry

    async def recall(
        self,
        query: str,  # noqa: ARG002
        *,
        limit: int = 10,  # noqa: ARG002
        namespace: str = "default",  # noqa: ARG002
        category: str = "",  # noqa: ARG002
        session_id: str = "",  # noqa: ARG002
    ) -> Sequence[MemoryEntry]:
        return ()

    async def get(self, key: str, *, namespace: str = "default") -> MemoryEntry | None:  # noqa: ARG002
        return None

    async def list(
        self,
        *,
        category: str = "",  # noqa: ARG002
        namespace: str = "default",  # noqa: ARG002
        session_id: str = "",  # noqa: ARG002
        limit: int | None = None,  # noqa: ARG002
    ) -> Sequence[MemoryEntry]:
        return ()

    async def forget(self, key: str, *, namespace: str = "default") -> bool:  # noqa: ARG002
        return False

    async def count(self, *, namespace: str = "", category: str = "") -> int:  # noqa: ARG002
        return 0

    async def health(self) -> MemoryHealth:
        if self._reason:
            return MemoryHealth(backend="none", ok=False, detail=f"Nothing lasts beyond a session: {self._reason}")
        return MemoryHealth(backend="none", ok=True, detail=_CHOSEN)

    async def export(self, wanted: MemoryFilter, *, after: int = 0, limit: int = 1000) -> MemoryPage:  # noqa: ARG002
        return MemoryPage(())

    async def restore(self, entries: Sequence[MemoryEntry]) -> int:  # noqa: ARG002
        return 0
