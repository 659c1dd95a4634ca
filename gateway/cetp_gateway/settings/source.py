"""Where a gateway's settings come from, so that they can be read again: the file, the environment, the command line.

Later ones win. Every refusal says the line of the file, or the variable, that is to be mended. Above: `load`,
`assemble`. Below: `convert`, `environment`, `places`, `secret_values`.
"""

import os
import re
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec

from cetp_gateway.errors import SettingsError
from cetp_gateway.settings.convert import FILE_NAME, Values, convert, parse_toml
from cetp_gateway.settings.environment import from_environment, variable_of
from cetp_gateway.settings.places import line_of
from cetp_gateway.settings.schema import Settings
from cetp_gateway.settings.secret_values import put_over, resolve_secrets, secret_files

Stamp = tuple[int, int, int] | None
"""Time of change, size and number of a file; None when there is none."""

_NAMED = re.compile(r"\b([a-z_]+\.[a-z_]+)\b")


class SettingsSource:
    """Reads the settings whenever it is asked to.

    Args:
        file: `cetp.toml`; need not exist. None when there is none.
        environment: variables.
        overrides: what the command line says.
    """

    def __init__(
        self, file: Path | None, environment: Mapping[str, str] = os.environ, overrides: Values | None = None
    ) -> None:
        self.file = file
        self._environment = environment
        self._overrides = overrides or {}
        self._seen: dict[Path, Stamp] = {}
        self.latest = ""
        """What the file said when it was read last."""

    def read(self) -> Settings:
        """All sources as they are now. Raises SettingsError with the line."""
        # Looked at before they are read, so that a change meanwhile is seen as one.
        seen = {self.file: _stamp(self.file)} if self.file is not None else {}
        self.latest, self._seen = "", seen
        text = self.latest = self.text()
        self._seen = seen | {path: _stamp(path) for path in self._secret_files(text).values()}
        return self.read_as(text)

    def stamps(self) -> tuple[Stamp, ...]:
        """How the files look now that were read last: the settings' own, and those with secrets."""
        return tuple(map(_stamp, self._seen))

    @property
    def seen(self) -> tuple[Stamp, ...]:
        """How they looked when they were read."""
        return tuple(self._seen.values())

    def read_as(self, text: str) -> Settings:
        """The same, as if the file said this."""
        try:
            return self._convert(text)
        except SettingsError as error:
            raise self.located(error, text) from error

    def text(self) -> str:
        """What the file says now; empty without one. Raises SettingsError."""
        if self.file is None:
            return ""
        try:
            return self.file.read_bytes().decode("utf-8-sig")
        except FileNotFoundError:
            return ""
        except UnicodeDecodeError:
            raise SettingsError(f"{self.file.name} is no UTF-8 text; save it as UTF-8.") from None
        except OSError as error:
            raise SettingsError(f"{self.file.name} cannot be read ({error.strerror}).") from None

    def located(self, error: SettingsError, text: str) -> SettingsError:
        """The error with the place where it can be mended, when that can be found."""
        name = self.file.name if self.file is not None else FILE_NAME
        if error.line is not None:
            return error
        key = error.key or _known_key(error.message)
        if not key:
            return error
        if key in self._keys_of(self._environment_values()):
            return SettingsError(f"{variable_of(key)}: {error.message}", key=key)
        line = line_of(text, key)
        if line is None:
            return SettingsError(error.message, key=key)
        return SettingsError(f"{name}, line {line}: {error.message}", key=key, line=line)

    def secret_files(self) -> Mapping[str, Path]:
        """The files that hold secrets by what was read last, by `section.key` of the secret."""
        return self._secret_files(self.latest)

    def _convert(self, text: str) -> Settings:
        values = self._values(text)
        # Checked before any file with a secret is opened, so that a misspelt key is what one hears of.
        convert(values)
        resolve_secrets(values, self._folder(), self._environment)
        return convert(values)

    def _values(self, text: str) -> Values:
        values: Values = parse_toml(text) if text else {}
        for source in (from_environment(self._environment), deepcopy(self._overrides)):
            put_over(values, source)
        return values

    def _secret_files(self, text: str) -> Mapping[str, Path]:
        try:
            return secret_files(self._values(text), self._folder(), self._environment)
        except SettingsError:
            return {}

    def _environment_values(self) -> Values:
        try:
            return from_environment(self._environment)
        except SettingsError:
            return {}

    @staticmethod
    def _keys_of(values: Mapping[str, Mapping[str, Any]]) -> set[str]:
        return {f"{section}.{key}" for section, entries in values.items() for key in entries}

    def _folder(self) -> Path:
        return self.file.parent if self.file is not None else Path()


def _stamp(path: Path) -> Stamp:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _known_key(message: str) -> str:
    """The first setting that a sentence names; empty when it names none."""
    known = {
        f"{section.name}.{field.name}"
        for section in msgspec.structs.fields(Settings)
        for field in msgspec.structs.fields(section.type)
    }
    return next((name for name in _NAMED.findall(message) if name in known), "")
