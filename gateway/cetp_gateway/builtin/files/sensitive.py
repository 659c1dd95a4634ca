"""Places that no tool may touch, whichever folders its owner has allowed. Plain functions.

Judged is the true path, as `guard` has found it step by step. Above: `guard`. Below: nothing.
"""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Final

CLOSED_NAMES: Final = (
    # Keys and passwords, by the name of their folder or file wherever it lies.
    ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".password-store", ".mozilla", "gcloud", "keychains",
    "keyrings", ".netrc", ".git-credentials", ".pgpass", ".my.cnf", ".npmrc", ".pypirc", ".env", ".env.*",
    "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "authorized_keys", "*.kdbx",
    # What people have typed.
    ".*_history",
    # This program's own settings, which hold its keys.
    "cetp.toml",
)  # fmt: skip
CLOSED_PLACES: Final = ("/etc", "/private/etc", "/proc", "/sys", "/dev", "/boot", "/run", "/var/run", "/var/spool")
UNWRITABLE_NAMES: Final = (".git",)
"""Its hooks and its configuration are commands that others run."""


def objection_to(parts: Sequence[str], *, writing: bool) -> str:
    """Why the file or folder of this absolute path stays closed; empty when it does not.

    Args:
        parts: the path's names from the root on.
        writing: it is to be changed, made or removed.
    """
    names = [part.casefold() for part in parts]
    if (path := _closed_place(names)) is not None:
        return f"{path} is closed to tools"
    for name in names:
        if _fits(name, CLOSED_NAMES):
            return f"{name} may hold keys or passwords and is closed to tools"
        if writing and _fits(name, UNWRITABLE_NAMES):
            return f"{name} can be read and not written: it holds commands that others run"
    return ""


def _closed_place(names: Sequence[str]) -> str | None:
    path = "/" + "/".join(names)
    return next((place for place in CLOSED_PLACES if path == place or path.startswith(f"{place}/")), None)


def _fits(name: str, globs: Sequence[str]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)
