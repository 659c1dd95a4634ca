"""Settings of the environment: CETP_SECTION_KEY, lists separated by commas.

Above: `source`. Below: `convert`, `schema`.
"""

import typing
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from cetp_gateway.errors import SettingsError
from cetp_gateway.settings.convert import Values, nearest
from cetp_gateway.settings.schema import SECRETS, Settings

PREFIX: Final = "CETP_"
RESERVED: Final = frozenset(
    {"CETP_TOKEN", "CETP_GATEWAY", "CETP_DATA", "CETP_CONFIG", "CETP_PIN", "CETP_CA", "CETP_PIPE_TASK"}
)
"""Variables of the command line that are no settings."""


def from_environment(environment: Mapping[str, str]) -> Values:
    """The settings among the variables; raises SettingsError for one that is none or has an unusable value."""
    values: Values = {}
    for name, text in environment.items():
        if not name.startswith(PREFIX) or name in RESERVED:
            continue
        section, key, kind = _find(name)
        values.setdefault(section, {})[key] = _parse(name, text, kind, secret=(section, key) in SECRETS)
    return values


def variable_of(key: str) -> str:
    """The variable of `section.key`."""
    return f"{PREFIX}{key.replace('.', '_')}".upper()


def _find(name: str) -> tuple[str, str, Any]:
    """The section, key and type that a variable stands for."""
    known: dict[str, tuple[str, str, Any]] = {}
    for section in msgspec.structs.fields(Settings):
        for field in msgspec.structs.fields(section.type):
            known[variable_of(f"{section.name}.{field.name}")] = (section.name, field.name, field.type)
    if name not in known:
        raise SettingsError(f"The environment has {name}, which is no setting.{nearest(name, known)}")
    return known[name]


def _parse(name: str, text: str, kind: Any, *, secret: bool) -> Any:
    """Text of the environment as the setting's type."""
    if typing.get_origin(kind) is tuple:
        return [item.strip() for item in text.split(",") if item.strip()]
    if not text and type(None) in typing.get_args(kind):
        return None
    try:
        return msgspec.convert(text, kind, strict=False)
    except msgspec.ValidationError as error:
        shown = name if secret else f"{name}={text!r}"
        raise SettingsError(f"{shown} is not usable: {error}") from error
