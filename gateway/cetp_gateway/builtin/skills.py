"""The tool that reads the person's skills: instructions for special work, which only they write.

Above: `all_tools`. Below: whoever implements `KnownSkills`.
"""

import difflib
from collections.abc import Sequence
from typing import Annotated, Protocol

from msgspec import Meta

from cetp_gateway.api import CallContext, Effect
from cetp_gateway.builtin.builtin_tool import BuiltinTool, NotPossible
from cetp_gateway.builtin.declared import Asked, Declared
from cetp_gateway.builtin.names import LOAD_SKILL
from cetp_gateway.errors import StorageError


class KnownSkills(Protocol):
    """All skills of the gateway."""

    async def names(self) -> Sequence[tuple[str, str]]:
        """Name and description of each, by name."""
        ...

    async def read_file(self, name: str, path: str) -> str | None:
        """A file of a skill by its path within it; None when there is none. Raises StorageError."""
        ...

    async def files(self, name: str) -> Sequence[str]:
        """Paths of its files besides SKILL.md."""
        ...


class SkillAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which skill, and which file of it."""

    name: Annotated[str, Meta(max_length=64, description="Name of the skill; empty lists all skills.")] = ""
    file: Annotated[
        str, Meta(max_length=400, description="A further file of the skill, by its path; empty reads the skill itself.")
    ] = ""


class LoadSkill(BuiltinTool[SkillAsked]):
    """Reads one skill, or one file of it."""

    declared = Declared(
        SkillAsked,
        name=LOAD_SKILL,
        effect=Effect.READS,
        description="Reads a skill: the person's own instructions for a kind of work. Read it before you do that work.",
    )

    def __init__(self, known: KnownSkills) -> None:
        self._known = known

    async def run(self, asked: SkillAsked, context: CallContext) -> str:  # noqa: ARG002
        known = await self._known.names()
        if not asked.name:
            return "\n".join(f"{name}: {said}" for name, said in known) or "There are no skills."
        names = [name for name, _ in known]
        if asked.name not in names:
            raise _unknown(asked.name, names)
        text = await self._text(asked.name, asked.file or "SKILL.md")
        return text if asked.file else text + await self._more(asked.name)

    async def _text(self, name: str, file: str) -> str:
        try:
            text = await self._known.read_file(name, file)
        except StorageError as error:
            raise NotPossible(error.message) from None
        if text is None:
            files = ", ".join(await self._known.files(name)) or "none besides SKILL.md"
            raise NotPossible(f"file: the skill {name} has no file {file!r}.", hint=f"Its files: {files}.")
        return text

    async def _more(self, name: str) -> str:
        files = await self._known.files(name)
        return f"\n\nFurther files of this skill, to be read with `file`: {', '.join(files)}" if files else ""


def _unknown(name: str, names: Sequence[str]) -> NotPossible:
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.4) or names[:5]
    hint = f"There are {', '.join(near)}; an empty name lists all." if near else "There are no skills."
    return NotPossible(f"name: there is no skill {name!r}.", hint=hint)
