"""Reads the settings again while the gateway runs, and says what came of it.

A file that cannot be used leaves the settings in force as they were. Above: the server's routes, the watch of the
file, SIGHUP. Below: `live_parts`.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

import msgspec

from cetp_gateway.assemble.live_parts import Change, LiveParts
from cetp_gateway.errors import SettingsError
from cetp_gateway.settings import Settings, SettingsSource, differing, in_force

_NO_SOURCE: Final = "This gateway has its settings from the program that started it; they take effect with its restart."

_log = logging.getLogger(__name__)


class Reloaded(msgspec.Struct, frozen=True, kw_only=True):
    """What came of the latest reading."""

    at: float
    """Of `time.time()`."""
    changed: tuple[str, ...] = ()
    """Settings that are in force since then and were not before, as `section.key`."""
    restart_for: tuple[str, ...] = ()
    """Settings of the file that the gateway has to be started anew for."""
    error: str = ""
    """Why the file could not be used, with its line; the settings before are in force then."""


class Reloading:
    """One reload at a time.

    Args:
        parts: what takes settings over.
        source: where they are read; None when a program has given them.
    """

    def __init__(self, parts: LiveParts, source: SettingsSource | None) -> None:
        self._parts = parts
        self._source = source
        self._lock = asyncio.Lock()
        self._subscribers: list[Callable[[Settings], None]] = []
        self.latest = Reloaded(at=time.time())

    @property
    def source(self) -> SettingsSource | None:
        return self._source

    def subscribe(self, callback: Callable[[Settings], None]) -> None:
        """Tell `callback` of settings that have come into force. It must not fail."""
        self._subscribers.append(callback)

    async def reload(self) -> Reloaded:
        """Read all sources again.

        Raises:
            SettingsError: they cannot be used; the message says which line. What was in force still is.
        """
        async with self._lock:
            source = self._required()
            try:
                wanted = await asyncio.to_thread(source.read)
                change = self._prepared(wanted, source, source.latest)
            except SettingsError as error:
                self.latest = msgspec.structs.replace(self.latest, at=time.time(), error=error.message)
                _log.warning("the settings stay as they were: %s", error)
                raise
            return await self._apply(change, wanted)

    async def check(self, text: str) -> None:
        """Raises SettingsError with the line when the gateway could not use this text as its settings file."""
        async with self._lock:
            source = self._source or SettingsSource(None, {})
            wanted = await asyncio.to_thread(source.read_as, text)
            if self._source is not None:
                await self._drop(self._prepared(wanted, source, text))

    def _required(self) -> SettingsSource:
        if self._source is None:
            raise SettingsError(_NO_SOURCE)
        return self._source

    def _prepared(self, wanted: Settings, source: SettingsSource, text: str) -> Change:
        running = self._parts.current.settings
        try:
            return self._parts.prepare(in_force(running, wanted, fixed_sections=self._parts.fixed_sections))
        except SettingsError as error:
            raise source.located(error, text) from error

    async def _apply(self, change: Change, wanted: Settings) -> Reloaded:
        changed = differing(self._parts.current.settings, change.settings)
        await self._parts.apply(change)
        for callback in self._subscribers:
            callback(change.settings)
        restart_for = differing(change.settings, wanted)
        self.latest = Reloaded(at=time.time(), changed=changed, restart_for=restart_for)
        if changed:
            _log.info("settings reloaded: %s", ", ".join(changed))
        if restart_for:
            _log.warning("a restart is needed for %s", ", ".join(restart_for))
        return self.latest

    @staticmethod
    async def _drop(change: Change) -> None:
        if change.model is not None:
            try:
                await change.model.aclose()
            except Exception:  # noqa: BLE001  (the reload's own failure is what is to be told)
                _log.exception("a model that was not taken over could not be closed")
