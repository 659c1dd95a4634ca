"""Which built-in tools there are, how they present themselves, and what switches them."""

import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cetp_gateway.api import Effect, ToolRow
from cetp_gateway.assemble import Parts
from support.whole import open_settings, whole

PAGE = Path(__file__).parents[2] / "docs" / "tools.md"
EVERYTHING: dict[str, Any] = {
    "builtin": {"search_url": "http://127.0.0.1/?q={query}"},
    "policy": {"allowed_commands": ["ls"]},
}


async def offered(folder: Path, parts: Parts | None = None, **sections: Any) -> list[ToolRow]:
    async with whole(folder, settings=open_settings(**({"builtin": {}} | sections)), parts=parts) as running:
        return running.runtime.registry.rows()


async def names(folder: Path, **sections: Any) -> set[str]:
    return {row.name for row in await offered(folder, **sections)}


@pytest.mark.requirement("runtime.principles.explicit")
async def test_the_page_lists_every_tool_with_its_effect_and_no_other(tmp_path: Path) -> None:
    rows = await offered(tmp_path, **EVERYTHING)
    assert len(rows) >= 25
    said = dict(re.findall(r"^\| `(\w+)` \| (\w+) \|", PAGE.read_text(), re.MULTILINE))
    assert said == {row.name: row.effect.value for row in rows}


async def test_every_tool_is_built_in_and_says_what_it_does_to_a_model(tmp_path: Path) -> None:
    for row in await offered(tmp_path, **EVERYTHING):
        assert (row.source_type, row.enabled) == ("builtin", True)
        assert row.effect is not Effect.UNKNOWN
        assert 20 < len(row.description) < 700, row.name
        jsonschema.Draft202012Validator.check_schema(row.parameters)
        assert row.parameters["type"] == "object"
        assert row.parameters.get("additionalProperties") is False, row.name
        assert "$ref" not in str(row.parameters), row.name
        for name, schema in row.parameters["properties"].items():
            assert _is_bounded(schema), (row.name, name, schema)


def _is_bounded(schema: dict[str, Any]) -> bool:
    """Texts and lists have an end, and so have those in lists."""
    end = {"string": "maxLength", "array": "maxItems"}.get(schema.get("type", ""))
    return (end is None or end in schema) and ("items" not in schema or _is_bounded(schema["items"]))


async def test_commands_and_searches_are_left_out_until_the_owner_sets_them_up(tmp_path: Path) -> None:
    plain = await names(tmp_path / "a")
    assert not plain & {"run_command", "web_search"}
    assert await names(tmp_path / "b", **EVERYTHING) - plain == {"run_command", "web_search"}


async def test_globs_switch_tools_on_and_off(tmp_path: Path) -> None:
    everything = await names(tmp_path / "a", **EVERYTHING)
    without = EVERYTHING | {"builtin": {"disabled": ["web_*", "run_command"]}}
    assert everything - await names(tmp_path / "b", **without) == {"web_open", "web_fetch", "web_search", "run_command"}
    few = {"enabled": ["*_files", "calculate*"], "disabled": ["search_*"]}
    assert await names(tmp_path / "c", builtin=few) - {"search_tools"} == {
        "list_files",
        "find_files",
        "calculate",
        "calculate_date",
    }


async def test_an_application_can_leave_them_all_out(tmp_path: Path) -> None:
    assert {row.name for row in await offered(tmp_path, Parts(builtin=False))} <= {"search_tools"}
