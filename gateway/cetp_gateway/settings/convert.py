"""Checks values and makes Settings of them; reads TOML as far as sections.

Plain functions of values; every refusal names its key. Above: `source`. Below: `schema`.
"""

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from cetp_gateway.errors import SettingsError
from cetp_gateway.settings.schema import Settings

FILE_NAME: Final = "cetp.toml"

Values = dict[str, dict[str, Any]]

_LINE = re.compile(r"\(at line (\d+)")


def parse_toml(text: str) -> Values:
    """Read TOML text as far as sections; raises SettingsError with the line."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _LINE.search(str(error))
        line = int(found[1]) if found else len(text.splitlines()) or 1
        raise SettingsError(f"{FILE_NAME} is not valid TOML in line {line}: {error}", line=line) from error


def convert(values: Mapping[str, Any]) -> Settings:
    """Check values and make Settings of them; raises SettingsError that names the key."""
    for section, entries in values.items():
        _check_known(section, entries)
    try:
        return msgspec.convert(values, Settings, strict=True)
    except msgspec.ValidationError as error:
        # msgspec ends its sentences with "- at `$.section.key`"; say the key first.
        text, _, path = str(error).partition(" - at ")
        key = path.strip("`").removeprefix("$.")
        says = f"{key}: {text}" if key else text
        raise SettingsError(f"A setting is not usable: {says}", key=key.partition("[")[0]) from error


def nearest(word: str, known: Iterable[str]) -> str:
    """A sentence that helps whoever has misspelt a word."""
    known = list(known)
    found = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    return f" Did you mean {found[0]}?" if found else f" Known are: {', '.join(known)}."


def _check_known(section: str, entries: Any) -> None:
    known = {field.name: field.type for field in msgspec.structs.fields(Settings)}
    if section not in known:
        raise SettingsError(f"There is no section [{section}].{nearest(section, known)}", key=section)
    if not isinstance(entries, Mapping):
        raise SettingsError(f"[{section}] must be a section, not a value.", key=section)
    keys = [field.name for field in msgspec.structs.fields(known[section])]
    for key in entries:
        if key not in keys:
            raise SettingsError(f"There is no setting {section}.{key}.{nearest(key, keys)}", key=f"{section}.{key}")
