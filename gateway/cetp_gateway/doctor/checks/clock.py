"""The clock: against the times of the gateway's own files, and against what the model's server says."""

import asyncio
import time
from collections.abc import Sequence
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Final

from cetp_gateway.doctor.case import Case
from cetp_gateway.doctor.checks.addresses import address_of_model
from cetp_gateway.doctor.finding import Finding, broken, ok, warning
from cetp_gateway.storage import FILE_NAME

ABOUT: Final = "clock"
_AHEAD_S: Final = 120.0
"""A file from so far in the future was written by a clock that went otherwise."""
_SLIGHTLY_S: Final = 30.0
_TOO_FAR_S: Final = 300.0
"""Certificates and signatures are refused beyond this."""
_WAIT_S: Final = 5.0
_FIX: Final = "Let the machine keep its time: timedatectl set-ntp true"


async def check_clock(case: Case) -> Sequence[Finding]:
    ahead = await asyncio.to_thread(_newest_ahead, case.data_folder)
    if ahead > _AHEAD_S:
        says = f"The clock says {_shown(time.time())}, and the gateway's files are {ahead:.0f} s younger than that."
        return [broken(ABOUT, says, _FIX)]
    difference = None if case.offline else await _against_server(address_of_model(case.settings.model))
    if difference is None:
        return [ok(ABOUT, f"It says {_shown(time.time())}, later than all files of the gateway.")]
    says = f"It says {_shown(time.time())}, {abs(difference):.0f} s from what the model's server says."
    if abs(difference) > _TOO_FAR_S:
        return [broken(ABOUT, says, _FIX)]
    return [warning(ABOUT, says, _FIX) if abs(difference) > _SLIGHTLY_S else ok(ABOUT, says)]


def _newest_ahead(folder: Path) -> float:
    """Seconds by which the newest file of the data folder is ahead of the clock; 0 when none is."""
    times = []
    for name in (FILE_NAME, f"{FILE_NAME}-wal", "MEMORY_SNAPSHOT.md", "tls.pem"):
        try:
            times.append((folder / name).stat().st_mtime)
        except OSError:
            continue
    return max(0.0, *(at - time.time() for at in times)) if times else 0.0


async def _against_server(address: str) -> float | None:
    """Seconds by which this clock is ahead of a server's; None when that says nothing."""
    if not address:
        return None
    import httpx  # noqa: PLC0415  (not for those who are offline)

    try:
        async with httpx.AsyncClient(timeout=_WAIT_S) as client:
            before = time.time()
            said = (await client.head(address)).headers.get("date", "")
            middle = (before + time.time()) / 2
        return middle - parsedate_to_datetime(said).timestamp() - 0.5
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, TypeError):
        return None


def _shown(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().isoformat(timespec="seconds")
