"""One skill: what its SKILL.md says of it, by the form of Agent Skills.

Plain functions of values. `name` and `description` in front matter are what other agents ask for; here a text without
them is taken too, by its folder's name and its first sentence. Above: `shelf`. Below: `front_matter`.
"""

from pathlib import Path
from typing import Any, Final

import msgspec

from cetp_gateway.skills.front_matter import BadFrontMatter, FrontMatter, read_front_matter

DESCRIPTION_CHARS: Final = 1024
"""The longest that the form allows; longer ones are cut."""


class Skill(msgspec.Struct, frozen=True, kw_only=True):
    """A skill that can be used."""

    name: str
    """Its folder's name."""
    description: str
    folder: Path
    own: bool
    """It lies in the data folder, so it may be changed."""
    note: str = ""
    """What is wrong without being in the way."""


class BrokenSkill(msgspec.Struct, frozen=True):
    """One that cannot be used, and why."""

    name: str
    problem: str


def skill_of(name: str, content: str, *, folder: Path, own: bool) -> Skill | BrokenSkill:
    """What the text says."""
    try:
        parts = read_front_matter(content)
    except BadFrontMatter as error:
        return BrokenSkill(name, str(error))
    description = _description(parts)
    if not description:
        return BrokenSkill(name, "it says nothing: neither a `description:` in front matter nor any text")
    return Skill(name=name, description=description, folder=folder, own=own, note=_note(name, parts))


def describe(content: str) -> str:
    """The description that a list shows; empty when the text has none or cannot be read."""
    try:
        return _description(read_front_matter(content))
    except BadFrontMatter:
        return ""


def _description(parts: FrontMatter) -> str:
    """The `description:` of the front matter, else the first line that is no heading."""
    said: Any = parts.values.get("description")
    if isinstance(said, str | int | float) and not isinstance(said, bool) and str(said).strip():
        return _line(str(said))
    lines = (line.strip() for line in parts.body.splitlines())
    return _line(next((line for line in lines if line and not line.startswith("#")), ""))


def _note(name: str, parts: FrontMatter) -> str:
    if parts.note:
        return parts.note
    said = parts.values.get("name")
    if parts.values and said != name:
        return f"its front matter calls it {said!r}; it goes by its folder's name" if said else "it has no `name:`"
    if parts.values and not parts.values.get("description"):
        return "it has no `description:`; its first line is taken"
    return ""


def _line(text: str) -> str:
    return " ".join(text.split())[:DESCRIPTION_CHARS]
