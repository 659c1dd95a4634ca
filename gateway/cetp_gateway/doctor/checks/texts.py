"""The owner's texts: skills and personas that cannot be used, or not quite as they were meant."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Final

from cetp_gateway.doctor.case import Case
from cetp_gateway.doctor.finding import Finding, ok, warning
from cetp_gateway.sessions import BrokenPersona, personas_in
from cetp_gateway.skills import Shelf, Skills

ABOUT: Final = "skills"
_FIX: Final = "Mend its file; the others are not affected."


async def check_texts(case: Case) -> Sequence[Finding]:
    shelf = await Skills(case.data_folder / "skills", lambda: case.settings.skills).shelf()
    personas = await asyncio.to_thread(personas_in, case.data_folder / "personas")
    return [*_skills(shelf), *_personas([one for one in personas if isinstance(one, BrokenPersona)])]


def _skills(shelf: Shelf) -> Iterator[Finding]:
    yield ok(ABOUT, f"{len(shelf.skills)} can be used.")
    for broken in shelf.broken:
        yield warning(ABOUT, f"{broken.name}: {broken.problem}.", _FIX)
    for skill in shelf.skills:
        if skill.note:
            yield warning(ABOUT, f"{skill.name}: {skill.note}.", _FIX)


def _personas(broken: Sequence[BrokenPersona]) -> Iterator[Finding]:
    for one in broken:
        yield warning("personas", f"{one.name}: {one.problem}.", _FIX)
