"""What ships, as a fresh gateway offers it: many small tools, each described for a model, with an effect and bounds."""

from pathlib import Path
from typing import Any

import pytest

from support.whole import open_settings, rest, whole


async def offered(folder: Path, **sections: Any) -> list[dict[str, Any]]:
    """The rows of `/api/tools` that ship with the gateway."""
    async with whole(folder, settings=open_settings(builtin={}, **sections)) as running, rest(running) as http:
        rows = (await http.get("/api/tools")).json()["tools"]
    return [row for row in rows if row["source_type"] == "builtin"]


@pytest.mark.requirement("runtime.packages.tools")
async def test_more_than_25_tools_come_with_the_gateway(tmp_path: Path) -> None:
    names = [row["name"] for row in await offered(tmp_path) if row["enabled"]]
    assert len(names) == len(set(names)) > 25


async def test_each_is_described_and_takes_bounded_arguments_alone(tmp_path: Path) -> None:
    for row in await offered(tmp_path):
        assert 20 < len(row["description"]) < 500, row["name"]
        assert row["effect"] in {"reads", "writes", "runs", "sends"}, row["name"]
        assert row["parameters"]["additionalProperties"] is False, row["name"]
        for name, schema in row["parameters"]["properties"].items():
            assert is_bounded(schema), f"{row['name']}.{name}: {schema}"


def is_bounded(schema: dict[str, Any]) -> bool:
    """Whether no value of this schema can be of any size."""
    match schema.get("type"):
        case "string":
            return "maxLength" in schema or "enum" in schema
        case "array":
            return "maxItems" in schema
        case _:
            return True
