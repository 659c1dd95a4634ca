"""Answers of models that hold calls as text, from the files beside the tests."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from cetp_gateway.api import ToolSpec

FOLDER = Path(__file__).parent.parent / "gateway" / "data" / "tool_text"


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    answer: str
    text: str
    """What the person sees."""
    calls: list[dict[str, Any]]
    """`problem` stands for any sentence."""
    thought: str = ""
    half: bool = False
    cut: bool = False
    """The vendor says that the answer was cut off."""
    open_ended: bool = False
    """A beginning of it is a whole answer with other calls."""
    question: str = "What is it like?"
    others: list[str] = []
    """Results that the model has read."""


class _File(msgspec.Struct, forbid_unknown_fields=True):
    about: str
    cases: list[Case]


def load_cases() -> list[Any]:
    """All cases, each with the name of its file."""
    return [
        pytest.param(case, id=f"{file.stem}: {case.name}")
        for file in sorted(FOLDER.glob("*.json"))
        for case in msgspec.json.decode(file.read_bytes(), type=_File).cases
    ]


def _tool(name: str, **properties: dict[str, Any]) -> ToolSpec:
    return ToolSpec(name=name, description=name, parameters={"type": "object", "properties": properties})


TOOLS = [
    _tool("get_weather", city={"type": "string"}),
    _tool("get_time"),
    _tool(
        "list_readings",
        days={"type": "integer"},
        rooms={"type": "array", "items": {"type": "string"}},
        fresh={"type": "boolean"},
    ),
]
