"""The configuration: `cetp.toml` and CETP_… variables, checked once at start."""

from cetp_gateway.settings.load import convert, default_config_file, default_data_folder, load_settings
from cetp_gateway.settings.schema import SECRETS, Settings

__all__ = ["SECRETS", "Settings", "convert", "default_config_file", "default_data_folder", "load_settings"]
