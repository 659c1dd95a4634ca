"""Reads the settings once: defaults, then `cetp.toml`, then the environment, then the command line."""

import os
from collections.abc import Mapping
from pathlib import Path

import platformdirs

from cetp_gateway.settings.convert import FILE_NAME, Values
from cetp_gateway.settings.schema import Settings
from cetp_gateway.settings.source import SettingsSource

APP_NAME = "cetp"


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
    return SettingsSource(file, environment, overrides).read()
