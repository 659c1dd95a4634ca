"""The configuration: `cetp.toml` and CETP_… variables, checked once at start."""

from cetp_gateway.settings.limits import LimitSettings
from cetp_gateway.settings.load import convert, default_config_file, default_data_folder, load_settings
from cetp_gateway.settings.model import ModelSettings
from cetp_gateway.settings.schema import SECRETS, ServerSettings, Settings, ToolSettings

__all__ = [
    "SECRETS",
    "LimitSettings",
    "ModelSettings",
    "ServerSettings",
    "Settings",
    "ToolSettings",
    "convert",
    "default_config_file",
    "default_data_folder",
    "load_settings",
]
