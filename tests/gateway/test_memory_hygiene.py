"""Old daily and conversation entries go in time; core ones never do."""

from pathlib import Path
from typing import Any

import pytest

from support.memories import Clock, entry, remembering


async def names(folder: Path, clock: Clock, **settings: Any) -> set[str]:
    """Start, which also cleans when it is time; what is there after the stop."""
    async with remembering(folder, clock=clock, **settings):
        pass
    async with remembering(folder, clock=clock, **settings) as memory:
        return {each.key for each in await memory.list()}


@pytest.mark.requirement("runtime.memory.hygiene")
async def test_after_their_time_daily_and_conversation_entries_are_gone_and_core_stays(tmp_path: Path) -> None:
    clock = Clock()
    async with remembering(tmp_path, clock=clock) as memory:
        for category in ("core", "daily", "conversation", "recipes"):
            await memory.store(entry(category, f"soup of {category} kind", category=category))
    clock.forward(days=29)
    assert await names(tmp_path, clock) == {"core", "daily", "conversation", "recipes"}
    clock.forward(days=2)
    assert await names(tmp_path, clock) == {"core", "recipes"}
    clock.forward(days=5000)
    assert await names(tmp_path, clock) == {"core", "recipes"}


async def test_it_runs_no_more_often_than_every_twelve_hours_over_restarts(tmp_path: Path) -> None:
    clock = Clock()
    async with remembering(tmp_path, clock=clock):
        pass
    async with remembering(tmp_path, clock=clock, daily_days=1) as memory:
        await memory.store(entry("old", "went shopping", category="daily"))
        await memory.restore([entry("older", "went home", category="daily", updated_at=Clock()().replace(year=2020))])
    clock.forward(hours=11.9)
    assert await names(tmp_path, clock, daily_days=1) == {"old", "older"}
    clock.forward(hours=0.2)
    assert await names(tmp_path, clock, daily_days=1) == {"old"}
