"""`cetp.toml` as text that may be shown: secrets masked on the way out, put back on the way in.

Plain functions of text; comments and layout survive. Above: config.
"""

from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING, Any

from cetp_gateway.errors import SettingsError
from cetp_gateway.settings import FILE_SUFFIX, SECRETS, is_reference

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

MASK = "***MASKED***"

_Section = MutableMapping[str, Any]


def masked(text: str) -> str:
    """The text with every secret replaced by the mask; raises SettingsError when it is no TOML."""
    document = _parse(text)
    for section, key in _secrets(document):
        secret = section[key]
        if secret and not (isinstance(secret, str) and is_reference(secret)):
            section[key] = MASK
    return document.as_string()


def unmasked(text: str, stored: str) -> str:
    """The text with every mask replaced by the secret of the stored text. Where that has none, the key goes, so
    that a secret given in the environment goes on to count.

    Raises:
        SettingsError: the text, or the stored text whose secret is needed, is no TOML.
    """
    document = _parse(text)
    for section_name, key in SECRETS:
        section = document.get(section_name)
        if isinstance(section, MutableMapping) and section.get(key) == MASK:
            _put_back(section, key, _stored_secret(stored, section_name, key))
    return document.as_string()


def references(text: str) -> dict[str, str]:
    """Where the text says that secrets are kept: files and entries of the key ring, by `section.key`. Raises
    SettingsError when it is no TOML.
    """
    document, found = _parse(text), {}
    for section_name, key in SECRETS:
        section = document.get(section_name)
        if not isinstance(section, MutableMapping):
            continue
        named, written = section.get(key + FILE_SUFFIX), section.get(key)
        if named:
            found[f"{section_name}.{key}{FILE_SUFFIX}"] = str(named)
        if isinstance(written, str) and is_reference(written):
            found[f"{section_name}.{key}"] = str(written)
    return found


def _put_back(section: _Section, key: str, secret: str) -> None:
    if secret:
        section[key] = secret
    else:
        del section[key]


def _stored_secret(stored: str, section_name: str, key: str) -> str:
    section = _parse(stored).get(section_name)
    return str(section.get(key, "")) if isinstance(section, MutableMapping) else ""


def _secrets(document: "TOMLDocument") -> Iterator[tuple[_Section, str]]:
    for section_name, key in SECRETS:
        section = document.get(section_name)
        if isinstance(section, MutableMapping) and key in section:
            yield section, key


def _parse(text: str) -> "TOMLDocument":
    # Most gateways are never asked for their settings.
    import tomlkit  # noqa: PLC0415
    from tomlkit.exceptions import ParseError, TOMLKitError  # noqa: PLC0415

    try:
        return tomlkit.parse(text)
    except ParseError as error:
        raise SettingsError(f"This is not valid TOML: line {error.line}, column {error.col}.") from None
    except (TOMLKitError, ValueError, RecursionError) as error:
        raise SettingsError(f"This is not valid TOML: {type(error).__name__}.") from None
