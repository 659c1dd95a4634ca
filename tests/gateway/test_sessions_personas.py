"""Personas are stored by name."""

from pathlib import Path

import pytest

from cetp_gateway.sessions import Persona, Personas
from cetp_gateway.storage import MIGRATIONS, Database


async def test_a_persona_can_be_stored_replaced_listed_and_deleted(tmp_path: Path) -> None:
    database = await Database.open(tmp_path, MIGRATIONS)
    personas = Personas(database)
    await personas.put(Persona(name="chef", prompt="You cook."))
    await personas.put(Persona(name="chef", prompt="You cook well.", description="kitchen"))
    assert await personas.get("chef") == Persona(name="chef", prompt="You cook well.", description="kitchen")
    assert [persona.name for persona in await personas.list()] == ["chef"]
    assert await personas.delete("chef")
    assert not await personas.delete("chef")
    assert await personas.get("chef") is None
    await database.close()


@pytest.mark.parametrize(
    ("name", "good"), [("köchin+1", True), ("厨师", True), ("a/b", False), ("", False), ("..", False)]
)
def test_names_are_words(name: str, good: bool) -> None:
    assert Personas.is_name(name) is good
