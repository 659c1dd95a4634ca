"""Room on the disk of the data folder."""

import asyncio
import shutil
from collections.abc import Sequence
from typing import Final

from cetp_gateway.doctor.case import Case
from cetp_gateway.doctor.finding import Finding, broken, ok, warning

ABOUT: Final = "disk"
_MIB: Final = 1024 * 1024
_LEAST: Final = 32 * _MIB
"""Below this a write-ahead log and a snapshot may not find room."""
_FEW: Final = 512 * _MIB


async def check_disk(case: Case) -> Sequence[Finding]:
    folder = next(path for path in (case.data_folder, *case.data_folder.parents) if path.exists())
    free = (await asyncio.to_thread(shutil.disk_usage, folder)).free
    says = f"{free // _MIB:,} MiB are free."
    if free < _LEAST:
        return [broken(ABOUT, says, "Make room: nothing can be stored soon.")]
    if free < _FEW:
        return [warning(ABOUT, says, "Make room before sessions and memory need it.")]
    return [ok(ABOUT, says)]
