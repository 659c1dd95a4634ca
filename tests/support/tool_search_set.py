"""The labelled set for tool search: 20 apps × 20 tools, and questions with the tools that answer them."""

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from cetp_gateway.api import Effect, Origin, ToolSpec

FOLDER: Final = Path(__file__).parents[1] / "gateway" / "data" / "tool_search"


class Question(msgspec.Struct, frozen=True):
    """What a person asks, and the names of the tools any of which would do."""

    text: str
    right: frozenset[str]


@cache
def tools_of_twenty_apps() -> tuple[ToolSpec, ...]:
    """All 400, by name."""
    return tuple(tool for path in sorted((FOLDER / "apps").glob("*.toml")) for tool in _tools_of(path))


def questions(half: str) -> list[Question]:
    """Those of `tuning`, `held_out` or `across_languages`."""
    lines = (FOLDER / f"{half}.tsv").read_text("utf-8").splitlines()
    return [Question(text, frozenset(names.split())) for text, names in (line.split("\t") for line in lines)]


def share(hits: Iterable[bool]) -> float:
    """Of how many it is true, between 0 and 1."""
    counted = list(hits)
    return sum(counted) / len(counted)


def _tools_of(path: Path) -> list[ToolSpec]:
    tables = tomllib.loads(path.read_text("utf-8"))
    origin = Origin("phone", f"com.example.{path.stem}")
    return [
        ToolSpec(
            name=f"{path.stem}__{name}",
            description=table.pop("is"),
            parameters=_schema(table),
            effect=Effect.READS,
            origin=origin,
        )
        for name, table in sorted(tables.items())
    ]


def _schema(parameters: dict[str, str]) -> dict[str, Any]:
    required = [name for name, text in parameters.items() if text.split()[0].endswith("*")]
    properties = {name: _property(text) for name, text in parameters.items()}
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def _property(text: str) -> dict[str, Any]:
    kind, _, description = text.partition(" ")
    kind = kind.rstrip("*")
    if "|" in kind:
        return {"type": "string", "enum": kind.split("|"), "description": description}
    if kind == "date":
        return {"type": "string", "format": "date", "description": description}
    return {"type": kind, "description": description}
