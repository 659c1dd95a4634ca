"""The devices: is any paired, and which are here now?"""

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from cetp_gateway.doctor.case import Case
from cetp_gateway.doctor.finding import Finding, ok, skipped, warning
from cetp_gateway.storage import FILE_NAME

ABOUT: Final = "devices"
_SHOWN: Final = 5


async def check_devices(case: Case) -> Sequence[Finding]:
    if case.running is not None and case.running.paired is not None:
        return [_here(case.running.paired)]
    if not case.settings.server.require_pairing:
        return [skipped(ABOUT, "Pairing is off (server.require_pairing): whoever reaches the port may come in.")]
    count = await asyncio.to_thread(_stored, case.data_folder / FILE_NAME)
    if count is None:
        return [skipped(ABOUT, "There is no database yet that could know any.")]
    if not count:
        return [_none()]
    return [ok(ABOUT, f"{count} are paired; which are here, only a running gateway knows.")]


def _here(paired: Sequence[Mapping[str, Any]]) -> Finding:
    if not paired:
        return _none()
    here = [device for device in paired if device.get("connected")]
    away = [device for device in paired if not device.get("connected")]
    if here:
        names = ", ".join(str(device.get("name")) for device in here[:_SHOWN])
        return ok(ABOUT, f"{len(here)} of {len(paired)} are connected: {names}.")
    seen = "; ".join(f"{one.get('name')}, last seen {one.get('last_seen') or 'never'}" for one in away[:_SHOWN])
    fix = "Open the bridge app on the phone; it says what keeps it from connecting."
    return warning(ABOUT, f"None of {len(paired)} is connected: {seen}.", fix)


def _none() -> Finding:
    return warning(ABOUT, "No device is paired.", "On this machine: cetp pair")


def _stored(path: Path) -> int | None:
    if not path.exists():
        return None
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=2)) as connection:
            return int(connection.execute("SELECT count(*) FROM devices").fetchone()[0])
    except sqlite3.Error:
        # The check of the database says why.
        return None
