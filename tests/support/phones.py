"""What tests of the virtual phone share: short waits, an ear for its events, and small packs."""

import asyncio
from collections.abc import Callable
from datetime import date
from typing import Any, TypeVar

import msgspec

from cetp_gateway.phone import BackoffPolicy, Pack, PhoneEvent, PhoneLimits, read_pack, shipped_packs

Event = TypeVar("Event", bound=PhoneEvent)

WITHIN_S = 10.0
TODAY = date(2026, 3, 11)
"""A Wednesday."""

SOON = BackoffPolicy(first_s=0.001, cap_s=0.05, jitter=0)
"""Delays that can be counted without waiting for them."""
HASTY = PhoneLimits(close_s=0.3, greeting_s=5, registration_s=5)

NOTES = "com.example.notes"
ENERGY = "com.example.energy"


class Ear:
    """A listener that keeps what it hears and lets a test wait for more."""

    def __init__(self) -> None:
        self.events: list[PhoneEvent] = []
        self._came = asyncio.Event()

    def __call__(self, event: PhoneEvent) -> None:
        self.events.append(event)
        self._came.set()

    def all(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]

    async def hear(self, kind: type[Event], count: int = 1, *, like: Callable[[Event], bool] = lambda _: True) -> Event:
        """The count-th event of this kind, awaited if it has not come yet."""
        async with asyncio.timeout(WITHIN_S):
            while True:
                heard = [event for event in self.all(kind) if like(event)]
                if len(heard) >= count:
                    return heard[count - 1]
                self._came.clear()
                await self._came.wait()


def shipped(package: str) -> Pack:
    return next(pack for pack in shipped_packs() if pack.package == package)


def pack(*tools: dict[str, Any], package: str = "com.example.lamp", **more: Any) -> Pack:
    """A pack of these tools, read as from a file."""
    return read_pack(msgspec.json.encode({"package": package, "label": "Lamp", "tools": tools, **more}))


def tool(name: str = "state", **more: Any) -> dict[str, Any]:
    """A tool that says it is on, unless told otherwise."""
    return {
        "name": name,
        "description": f"Tells the {name} of the lamp.",
        "parameters": {"type": "object", "properties": {}},
        "replies": [{"data": {"on": True}}],
        **more,
    }
