"""Personas as files: `personas/NAME.md` or `personas/NAME/PERSONA.md` in the data folder, with front matter or without.

Above: `personas`. Below: `skills`' reading of front matter and of folders. Read anew each time: they are few and small.
"""

from pathlib import Path
from typing import Any, Final

import msgspec

from cetp_gateway.api import ToolRules
from cetp_gateway.errors import StorageError
from cetp_gateway.sessions.persona import Persona, is_persona_name
from cetp_gateway.skills import BadFrontMatter, read_beneath, read_front_matter

FILE: Final = "PERSONA.md"
MOST: Final = 256
MOST_BYTES: Final = 64 * 1024


class BrokenPersona(msgspec.Struct, frozen=True):
    """A file that cannot be used, and why."""

    name: str
    problem: str


def personas_in(folder: Path) -> list[Persona | BrokenPersona]:
    """All of them, by name; blocking."""
    names = set()
    try:
        for entry in folder.iterdir():
            if entry.suffix == ".md" and not entry.is_dir():
                names.add(entry.stem)
            elif (entry / FILE).exists():
                names.add(entry.name)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        return [BrokenPersona(folder.name, f"the folder cannot be read ({error.strerror})")]
    found = (persona_in(folder, name) for name in sorted(names)[:MOST])
    return [one for one in found if one is not None]


def persona_in(folder: Path, name: str) -> Persona | BrokenPersona | None:
    """One of them; None when there is none of this name. Blocking."""
    if not is_persona_name(name):
        return BrokenPersona(name[:64], "its name should be 1 to 64 letters, digits, blanks and _.+-")
    try:
        text = read_beneath(folder, f"{name}.md", MOST_BYTES)
        if text is None:
            text = read_beneath(folder, f"{name}/{FILE}", MOST_BYTES)
        return None if text is None else _persona(name, text)
    except StorageError as error:
        return BrokenPersona(name, error.message)
    except BadFrontMatter as error:
        return BrokenPersona(name, str(error))


def _persona(name: str, text: str) -> Persona | BrokenPersona:
    parts = read_front_matter(text)
    prompt = parts.body.strip()
    if not prompt:
        return BrokenPersona(name, "it has no text")
    description = parts.values.get("description", "")
    try:
        rules = msgspec.convert(_lists(parts.values), ToolRules)
    except msgspec.ValidationError as error:
        return BrokenPersona(name, f"`allowed` and `denied` should be lists of globs: {error}")
    return Persona(
        name=name,
        prompt=prompt,
        description=" ".join(str(description).split())[:500],
        allowed=rules.allowed,
        denied=rules.denied,
    )


def _lists(values: Any) -> dict[str, Any]:
    """A glob alone stands for a list of one."""
    found = {key: values[key] for key in ("allowed", "denied") if key in values}
    return {key: [value] if isinstance(value, str) else value for key, value in found.items()}
