"""The configuration: `cetp.toml` and CETP_… variables, checked as a whole whenever they are read."""

from cetp_gateway.settings.convert import convert
from cetp_gateway.settings.in_force import differing, in_force
from cetp_gateway.settings.limits import LimitSettings
from cetp_gateway.settings.load import default_config_file, default_data_folder, load_settings
from cetp_gateway.settings.model import ModelSettings
from cetp_gateway.settings.schema import SECRETS, ServerSettings, Settings, ToolSettings
from cetp_gateway.settings.secret_values import FILE_SUFFIX, is_reference, others_may_read, secrets_in
from cetp_gateway.settings.skills import SkillSettings
from cetp_gateway.settings.source import SettingsSource

__all__ = [
    "FILE_SUFFIX",
    "SECRETS",
    "LimitSettings",
    "ModelSettings",
    "ServerSettings",
    "Settings",
    "SettingsSource",
    "SkillSettings",
    "ToolSettings",
    "convert",
    "default_config_file",
    "default_data_folder",
    "differing",
    "in_force",
    "is_reference",
    "load_settings",
    "others_may_read",
    "secrets_in",
]
