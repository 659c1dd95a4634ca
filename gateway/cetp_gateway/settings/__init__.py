"""The configuration: `cetp.toml` and CETP_… variables, checked once at start."""

from cetp_gateway.settings.load import convert, default_config_file, default_data_folder, load_settings
from cetp_gateway.settings.schema import SECRETS, LimitSettings, ModelSettings, ServerSettings, Settings, ToolSettings

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
