"""The memory that keeps nothing."""

from datetime import UTC, datetime

import pytest

from cetp_gateway.api import Memory, MemoryEntry
from cetp_gateway.memory import NoMemory


@pytest.mark.requirement("runtime.memory.none", "runtime.abstractions.memory")
async def test_it_takes_everything_keeps_nothing_and_says_so() -> None:
    memory: Memory = NoMemory()

    await memory.store(MemoryEntry(key="tea", content="likes green tea", created_at=datetime.now(UTC)))

    assert await memory.get("tea") is None
    assert list(await memory.recall("tea")) == []
    assert list(await memory.list()) == []
    assert await memory.forget("tea") is False
    assert await memory.count() == 0
    health = await memory.health()
    assert (health.backend, health.ok) == ("none", True)
    assert "nothing lasts" in health.detail
