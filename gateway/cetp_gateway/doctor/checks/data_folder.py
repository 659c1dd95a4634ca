"""The data folder: there or to be made, writable, and nobody else's."""

import asyncio
import os
import stat
import tempfile
from collections.abc import Sequence
from pathlib import Path

from cetp_gateway.doctor.case import Case
from cetp_gateway.doctor.finding import Finding, broken, ok, warning

ABOUT = "data folder"
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


async def check_data_folder(case: Case) -> Sequence[Finding]:
    return [await asyncio.to_thread(_look, case.data_folder)]


def _look(folder: Path) -> Finding:
    if not folder.exists():
        above = next(parent for parent in folder.parents if parent.exists())
        if os.access(above, os.W_OK | os.X_OK):
            return ok(ABOUT, f"{folder} will be made by the first start.")
        return broken(ABOUT, f"{folder} is not there, and {above} does not let it be made.", "Choose another: --data")
    if not folder.is_dir():
        return broken(ABOUT, f"{folder} is no folder.", "Move it away, or choose another with --data.")
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x")
    except OSError as error:
        says = f"Nothing can be written to {folder} ({error.strerror})."
        return broken(ABOUT, says, f"Give it to this user: chown -R $USER {folder}")
    if folder.stat().st_mode & _OTHERS:
        return warning(ABOUT, f"Other users of this machine may look into {folder}.", f"chmod 700 {folder}")
    return ok(ABOUT, f"{folder} is writable and private.")
