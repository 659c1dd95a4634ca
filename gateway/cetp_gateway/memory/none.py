"""The memory that keeps nothing: stands in where no other is configured. Below: api."""

from collections.abc import Sequence

from cetp_gateway.api import MemoryEntry, MemoryHealth


class NoMemory:
    """Implements Memory. Storing is accepted and forgotten at once; nothing is ever found."""

    async def store(self, entry: MemoryEntry) -> None:
        """Keep nothing; `health` says so."""

    async def recall(self, query: str, *, limit: int = 10, namespace: str = "default") -> Sequence[MemoryEntry]:  # noqa: ARG002
        return ()

    async def get(self, key: str, *, namespace: str = "default") -> MemoryEntry | None:  # noqa: ARG002
        return None

    async def list(self, *, category: str = "", namespace: str = "default") -> Sequence[MemoryEntry]:  # noqa: ARG002
        return ()

    async def forget(self, key: str, *, namespace: str = "default") -> bool:  # noqa: ARG002
        return False

    async def count(self) -> int:
        return 0

    async def health(self) -> MemoryHealth:
        return MemoryHealth(backend="none", ok=True, detail="No memory is configured: nothing lasts beyond a session.")
