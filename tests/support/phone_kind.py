"""What the scenarios ask of a phone, whatever kind it is; and why a kind cannot be had here."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from enum import StrEnum
from typing import Protocol

import msgspec

from support.phone_packs import PackData


class Behaviour(StrEnum):
    """How an app treats the calls of its tools."""

    WELL = "WELL"
    CRASH = "CRASH"
    """Its process ends."""
    HANG = "HANG"
    """It never answers."""
    HUGE = "HUGE"
    """It answers two million characters."""


class ScenarioPhone(Protocol):
    """A phone with the bridge on it, and its owner. Every wait is bounded; what does not come raises."""

    async def pair(self, link: str) -> None:
        """The owner opens a pairing link and agrees; the bridge connects."""

    async def install_notes(self) -> None:
        """The owner installs the notes app, writes NOTES_TO_WRITE into it and switches it on in the bridge."""

    async def install(self, pack: PackData) -> None:
        """The owner installs an app and switches it on in the bridge."""

    async def update(self, pack: PackData) -> None:
        """An app is replaced by another version of it."""

    async def remove(self, package: str) -> None:
        """An app goes."""

    async def authorise(self, package: str) -> None:
        """The owner is offered the app's own screen, opens it and agrees; raises when nothing was offered."""

    async def misbehave(self, package: str, how: Behaviour) -> None:
        """An app behaves so from now on."""

    async def called(self, package: str) -> None:
        """Wait until a tool of an installed pack has been called."""

    async def connect(self) -> None:
        """The owner wants to be connected."""

    async def disconnect(self) -> None:
        """The owner wants to be away."""

    async def until_connected(self) -> None:
        """Wait until the gateway has taken the phone's tools."""

    async def until_it_asks_to_pair_again(self) -> None:
        """Wait until the bridge has stopped trying and told its owner that its token is refused."""


class PhoneKind(msgspec.Struct, frozen=True):
    """A kind of phone that scenarios can run on."""

    name: str
    phones: Callable[[int], AbstractAsyncContextManager[list[ScenarioPhone]]]
    """So many new, empty phones for the length of a block."""
    missing: str = ""
    """Why there is none here; empty when there is."""
