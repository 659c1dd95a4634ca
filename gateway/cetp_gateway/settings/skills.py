"""Settings of skills, the owner's instructions for special work: `[skills]`."""

from typing import Annotated

from msgspec import Meta

from cetp_gateway.settings.values import Bytes, Section


class SkillSettings(Section, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Folders with a SKILL.md each, as other agents have them. Their text is taken for the owner's own words."""

    folders: tuple[str, ...] = ()
    """Further folders that hold such folders, for instance ~/.claude/skills, besides `skills` in the data folder, which
    comes first; they are only read."""
    prompt_tokens: Annotated[int, Meta(ge=0, le=100_000)] = 2000
    """Most of the system prompt that the list of skills and personas may take, by estimate; 0 leaves the list out."""
    file_bytes: Bytes = 64 * 1024
    """A SKILL.md or another file of a skill; larger ones are not read."""
