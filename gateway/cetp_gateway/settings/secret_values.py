"""Secrets that stand elsewhere: in a file, or in the system's key ring.

`api_key_file = "/run/secrets/model"` (Docker, systemd's LoadCredential) and `api_key = "keyring:SERVICE/NAME"`. What is
read goes into the Settings in memory alone: texts of settings are never made from Settings. Above: `source`.
"""

import logging
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from cetp_gateway.errors import SettingsError
from cetp_gateway.settings.convert import Values, parse_toml
from cetp_gateway.settings.schema import SECRETS

KEYRING: Final = "keyring:"
FILE_SUFFIX: Final = "_file"
CREDENTIALS: Final = "CREDENTIALS_DIRECTORY"
"""systemd's variable for the folder of a unit's credentials."""
_MOST_BYTES: Final = 16 * 1024
_OTHERS = stat.S_IRWXG | stat.S_IRWXO

_log = logging.getLogger(__name__)


def put_over(values: Values, source: Mapping[str, Mapping[str, Any]]) -> None:
    """Let a later source win: one that says where a secret is also wins over the secret itself, and the other way."""
    for section, entries in source.items():
        known = values.setdefault(section, {})
        if not isinstance(known, dict):
            continue
        for key in (key for name, key in SECRETS if name == section):
            if entries.keys() & {key, key + FILE_SUFFIX}:
                known.pop(key, None)
                known.pop(key + FILE_SUFFIX, None)
        known.update(entries)


def secret_files(values: Mapping[str, Any], folder: Path, environment: Mapping[str, str]) -> dict[str, Path]:
    """The files that hold secrets, by `section.key` of the secret. Relative ones lie in systemd's folder of
    credentials, or else in `folder`.
    """
    base = Path(environment.get(CREDENTIALS) or folder)
    found = {}
    for section, key in sorted(SECRETS):
        entries = values.get(section)
        written = entries.get(key + FILE_SUFFIX) if isinstance(entries, Mapping) else None
        if isinstance(written, str) and written:
            found[f"{section}.{key}"] = base / Path(written).expanduser()
    return found


def resolve_secrets(values: Values, folder: Path, environment: Mapping[str, str]) -> None:
    """Put the secrets themselves in the place of what refers to them.

    Raises:
        SettingsError: a file or a key ring does not have the secret; the message names the setting.
    """
    files = secret_files(values, folder, environment)
    for section, key in sorted(SECRETS):
        entries = values.get(section)
        if not isinstance(entries, dict):
            continue
        name, written = f"{section}.{key}", entries.get(key, "")
        if name in files:
            if written:
                raise SettingsError(f"{name} and {name}{FILE_SUFFIX} are both set; keep one of them.", key=name)
            entries[key] = read_secret(files[name], name)
        elif isinstance(written, str) and written.startswith(KEYRING):
            entries[key] = _from_keyring(written.removeprefix(KEYRING), name)


def secrets_in(text: str) -> list[str]:
    """The settings of a file's text that hold a secret itself, as `section.key`. Raises SettingsError."""
    values = parse_toml(text)
    found = []
    for section, key in sorted(SECRETS):
        entries = values.get(section)
        secret = entries.get(key) if isinstance(entries, Mapping) else None
        if isinstance(secret, str) and secret and not is_reference(secret):
            found.append(f"{section}.{key}")
    return found


def is_reference(secret: str) -> bool:
    """Does a secret's setting only say where the secret is?"""
    return secret.startswith(KEYRING)


def others_may_read(path: Path) -> bool:
    """May other users of this machine read the file? False when it cannot be told."""
    try:
        return bool(path.stat().st_mode & _OTHERS)
    except OSError:
        return False


def read_secret(path: Path, name: str) -> str:
    """The one line of a file with a secret. Raises SettingsError."""
    key = name + FILE_SUFFIX
    try:
        # Not blocking: a pipe in the place of the file must not stop the gateway.
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:  # noqa: PTH123
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise SettingsError(f"{key}: this is no file. Name the file that holds the secret.", key=key)
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise SettingsError(f"{key}: the file cannot be read ({error.strerror}).", key=key) from None
    try:
        secret = content.decode().strip()
    except UnicodeDecodeError:
        secret = ""
    if not secret or len(content) > _MOST_BYTES or any(not letter.isprintable() for letter in secret):
        raise SettingsError(f"{key}: the file should hold the secret in one line and nothing else.", key=key)
    if others_may_read(path):
        _log.warning("%s: other users of this machine may read the file; chmod 600 keeps them out", key)
    return secret


def _from_keyring(reference: str, name: str) -> str:
    service, _, entry = reference.rpartition("/")
    if not service or not entry:
        raise SettingsError(f"{name}: write {KEYRING}SERVICE/NAME.", key=name)
    try:
        import keyring  # noqa: PLC0415  (an optional package)
        from keyring.errors import KeyringError  # noqa: PLC0415
    except ImportError:
        raise SettingsError(
            f"{name} is in a key ring, and the package for that is missing: pip install 'cetp-toolkit[keyring]'.",
            key=name,
        ) from None
    try:
        secret: str | None = keyring.get_password(service, entry)
    except KeyringError as error:
        raise SettingsError(f"{name}: the key ring cannot be used ({type(error).__name__}).", key=name) from None
    if not secret:
        raise SettingsError(
            f"{name}: the key ring has nothing under {service}/{entry}. Store it with: keyring set {service} {entry}",
            key=name,
        )
    return secret
