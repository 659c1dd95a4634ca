"""After a burst of registrations memory goes back to the system."""

import asyncio

from cetp_gateway.server.chat.settling import Settling, give_back
from support.tool_hosts import Phone, a_registry, tools


def resident_kib() -> int:
    """Of this process, as the kernel counts it."""
    with open("/proc/self/smaps_rollup", encoding="ascii") as rollup:  # noqa: PTH123
        return next(int(line.split()[1]) for line in rollup if line.startswith("Rss:"))


def test_free_memory_between_used_pieces_is_given_back() -> None:
    pieces = [bytes(20_000 if number % 2 else 2_000) for number in range(6_000)]
    kept = pieces[::2]
    del pieces
    before = resident_kib()
    give_back()
    assert len(kept) == 3_000
    assert resident_kib() < before - 20_000


async def test_a_registry_that_keeps_changing_is_left_alone_until_it_is_quiet() -> None:
    registry = a_registry()
    given = asyncio.Event()
    with Settling(registry, give_back=given.set, quiet_s=0.05):
        for name in ("one", "two", "three"):
            registry.offer(Phone("p"), tools(name), replace=True)
            assert not given.is_set()
        async with asyncio.timeout(5):
            await given.wait()


async def test_nothing_is_left_behind_when_the_gateway_ends() -> None:
    registry = a_registry()
    given, later = asyncio.Event(), asyncio.Event()
    with Settling(registry, give_back=given.set, quiet_s=0.01):
        registry.offer(Phone("p"), tools("one"), replace=True)
    with Settling(registry, give_back=later.set, quiet_s=0.02):
        registry.offer(Phone("q"), tools("two"), replace=True)
        async with asyncio.timeout(5):
            await later.wait()
    assert not given.is_set()
