"""Reads `requirements.toml`: every demand of the founding documents, and whether it is built yet.

For the project's own tests: the file lies in the checkout only and is not part of the installed package.
"""

import tomllib
from enum import StrEnum

import msgspec

from cetp_spec import data


class Status(StrEnum):
    """How far a demand is."""

    NOW = "now"
    """Built; a test proves it."""
    PLANNED = "planned"


class Requirement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One demand."""

    id: str
    """Steady for ever, such as `cetp.2.3.success`."""
    document: str
    section: str
    sentence: str
    status: Status


def requirements() -> list[Requirement]:
    """All entries in the order of the file.

    Raises:
        FileNotFoundError: this is no checkout.
        msgspec.ValidationError: an entry has another form; the message names it.
    """
    content = tomllib.loads((data.root() / "requirements.toml").read_text(encoding="utf-8"))
    return msgspec.convert(content["requirement"], list[Requirement])
