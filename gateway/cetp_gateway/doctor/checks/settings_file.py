"""The settings: readable, valid, nobody else's, and those that a running gateway has."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

from cetp_gateway.doctor.case import Case, Running
from cetp_gateway.doctor.finding import Finding, broken, ok, warning
from cetp_gateway.errors import SettingsError
from cetp_gateway.settings import others_may_read, secrets_in

ABOUT = "settings"


async def check_settings(case: Case) -> Sequence[Finding]:
    return await asyncio.to_thread(lambda: [*_file(case), *_running(case.running)])


def _file(case: Case) -> Iterator[Finding]:
    file = case.source.file
    if case.trouble:
        yield broken(ABOUT, case.trouble, "Mend it there; settings/ in the source lists every setting with its bounds.")
        return
    if file is None or not file.exists():
        yield ok(ABOUT, "There is no settings file; defaults and the environment count.")
        return
    yield ok(ABOUT, f"{file} can be used.")
    if others_may_read(file) and _secrets_of(file):
        names = ", ".join(_secrets_of(file))
        yield warning(ABOUT, f"Other users of this machine may read {file}, which holds {names}.", f"chmod 600 {file}")
    for name, path in case.source.secret_files().items():
        if others_may_read(path):
            yield warning(ABOUT, f"Other users of this machine may read the file with {name}.", f"chmod 600 {path}")


def _secrets_of(file: Path) -> list[str]:
    try:
        return secrets_in(file.read_text("utf-8-sig"))
    except (OSError, UnicodeDecodeError, SettingsError):
        return []


def _running(running: Running | None) -> Iterator[Finding]:
    said = running.status.get("settings", {}) if running else {}
    if said.get("error"):
        yield warning(
            ABOUT,
            f"The running gateway has not taken its file over: {said['error']}",
            "Mend the file, then: cetp reload",
        )
    if said.get("restart_for"):
        yield warning(
            ABOUT,
            f"The running gateway does not have all of its file: {', '.join(said['restart_for'])}.",
            "Restart it.",
        )
