"""Reads the settings: defaults, then `cetp.toml`, then the environment, then the command line."""

import difflib
import os
import tomllib
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import platformdirs

from cetp_gateway.errors import SettingsError
from cetp_gateway.settings.schema import Settings

FILE_NAME = "cetp.toml"
PREFIX = "CETP_"
APP_NAME = "cetp"
RESERVED = frozenset({"CETP_TOKEN", "CETP_GATEWAY", "CETP_DATA", "CETP_CONFIG", "CETP_PIN", "CETP_CA"})
"""Variables of the command line that are no settings."""

Values = dict[str, dict[str, Any]]


def default_data_folder() -> Path:
    """The user's data folder for this program, as the system has it."""
    return Path(platformdirs.user_data_dir(APP_NAME))


def default_config_file(data: Path) -> Path:
    """`cetp.toml` of the data folder when it is there, else that of the user's config folder when that is,
    else the data folder's, to be created.
    """
    in_config = Path(platformdirs.user_config_dir(APP_NAME)) / FILE_NAME
    in_data = data / FILE_NAME
    return in_config if in_config.exists() and not in_data.exists() else in_data


def load_settings(
    file: Path | None, environment: Mapping[str, str] = os.environ, overrides: Values | None = None
) -> Settings:
    """Read all sources; later ones win.

    Raises:
        SettingsError: the file is no TOML, or a value is unknown, of the wrong type or out of range.
    """
    values = parse_toml(file.read_text("utf-8")) if file is not None and file.exists() else {}
    for source in (_from_environment(environment), overrides or {}):
        for section, entries in source.items():
            values.setdefault(section, {}).update(entries)
    return convert(values)


def parse_toml(text: str) -> Values:
    """Read TOML text as far as sections; raises SettingsError."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{FILE_NAME} is not valid TOML: {error}") from error


def convert(values: Mapping[str, Any]) -> Settings:
    """Check values and make Settings of them; raises SettingsError that names the key."""
    for section, entries in values.items():
        _check_known(section, entries)
    try:
        return msgspec.convert(values, Settings, strict=True)
    except msgspec.ValidationError as error:
        raise SettingsError(f"A setting is not usable: {_readable(error)}") from error


def _readable(error: msgspec.ValidationError) -> str:
    """Msgspec ends its sentences with "- at `$.section.key`"; say the key first."""
    text, _, path = str(error).partition(" - at ")
    return f"{path.strip('`').removeprefix('$.')}: {text}" if path else text


def _check_known(section: str, entries: Any) -> None:
    known = {field.name: field.type for field in msgspec.structs.fields(Settings)}
    if section not in known:
        raise SettingsError(f"There is no section [{section}].{_nearest(section, known)}")
    if not isinstance(entries, Mapping):
        raise SettingsError(f"[{section}] must be a section, not a value.")
    keys = [field.name for field in msgspec.structs.fields(known[section])]
    for key in entries:
        if key not in keys:
            raise SettingsError(f"There is no setting {section}.{key}.{_nearest(key, keys)}")


def _nearest(word: str, known: typing.Iterable[str]) -> str:
    known = list(known)
    found = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    return f" Did you mean {found[0]}?" if found else f" Known are: {', '.join(known)}."


def _from_environment(environment: Mapping[str, str]) -> Values:
    values: Values = {}
    for name, text in environment.items():
        if not name.startswith(PREFIX) or name in RESERVED:
            continue
        section, key, kind = _find(name)
        values.setdefault(section, {})[key] = _parse(name, text, kind)
    return values


def _find(name: str) -> tuple[str, str, Any]:
    """The section, key and type that a variable stands for."""
    known: dict[str, tuple[str, str, Any]] = {}
    for section in msgspec.structs.fields(Settings):
        for field in msgspec.structs.fields(section.type):
            known[f"{PREFIX}{section.name}_{field.name}".upper()] = (section.name, field.name, field.type)
    if name not in known:
        raise SettingsError(f"The environment has {name}, which is no setting.{_nearest(name, known)}")
    return known[name]


def _parse(name: str, text: str, kind: Any) -> Any:
    """Text of the environment as the setting's type: lists are separated by commas."""
    if typing.get_origin(kind) is tuple:
        return [item.strip() for item in text.split(",") if item.strip()]
    if not text and type(None) in typing.get_args(kind):
        return None
    try:
        return msgspec.convert(text, kind, strict=False)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{name}={text!r} is not usable: {error}") from error
