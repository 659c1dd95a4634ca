"""Notices that the settings' files have changed, and reloads; also when somebody asks for it by a signal.

By looking at the files' times and sizes rather than by the system's notices: those do not come from network folders and
bind mounts, would need a library, and a look costs microseconds. Above: the server. Below: `reloading`.
"""

import asyncio
import contextlib
from typing import Final

from cetp_gateway.assemble.reloading import Reloading
from cetp_gateway.errors import SettingsError
from cetp_gateway.settings import Settings, SettingsSource

SETTLE_S: Final = 0.25
"""A file that is still being written is left alone until it has not changed for so long."""
_LOOKS: Final = 20


class SettingsWatch:
    """Run `run` as a task. `settings` are those in force; `reload.watch_s` is followed."""

    def __init__(self, reloading: Reloading, settings: Settings) -> None:
        self._reloading = reloading
        self._watch_s = settings.reload.watch_s
        self._wake = asyncio.Event()
        self._asked = False
        reloading.subscribe(self._use)

    def ask(self) -> None:
        """Reload now, whether or not a file has changed."""
        self._asked = True
        self._wake.set()

    async def run(self) -> None:
        """Until cancelled."""
        source = self._reloading.source
        while source is not None:
            asked = await self._pause()
            if asked or await _has_changed(source):
                with contextlib.suppress(SettingsError):
                    # The reload has logged it and keeps it for those who ask.
                    await self._reloading.reload()

    async def _pause(self) -> bool:
        """Wait until it is time to look; True when somebody has asked."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._watch_s or None):
                await self._wake.wait()
        self._wake.clear()
        asked, self._asked = self._asked, False
        return asked

    def _use(self, settings: Settings) -> None:
        if settings.reload.watch_s != self._watch_s:
            self._watch_s = settings.reload.watch_s
            self._wake.set()


async def _has_changed(source: SettingsSource) -> bool:
    """Whether a file is another one than was read; told when it is no longer being written."""
    stamps = await asyncio.to_thread(source.stamps)
    if stamps == source.seen:
        return False
    for _ in range(_LOOKS):
        await asyncio.sleep(SETTLE_S)
        before, stamps = stamps, await asyncio.to_thread(source.stamps)
        if stamps == before:
            break
    return stamps != source.seen
