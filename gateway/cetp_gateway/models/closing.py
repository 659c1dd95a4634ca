"""Ends an iterator of events for sure: dropping the vendor's connection must not wait for the garbage collector."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

Iterated = TypeVar("Iterated", bound=AsyncIterator[object])


@asynccontextmanager
async def closing(events: Iterated) -> AsyncIterator[Iterated]:
    """`contextlib.aclosing` for iterators that may have no `aclose`."""
    try:
        yield events
    finally:
        aclose = getattr(events, "aclose", None)
        if aclose is not None:
            await aclose()
