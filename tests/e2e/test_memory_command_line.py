"""`cetp memory` against a gateway of its own process."""

import json
from pathlib import Path

from cetp_gateway.cli.group import COMMANDS
from support.served import cetp, served

LINE = {
    "key": "tea",
    "content": "Kim likes green tea",
    "created_at": "2026-03-01T08:00:00Z",
    "source": {"author": "person"},
}


async def test_import_list_search_export_forget_and_stats(tmp_path: Path) -> None:
    file = tmp_path / "core.jsonl"
    second = LINE | {"key": "方案", "content": "今天讨论了部署方案", "category": "daily"}
    file.write_text(json.dumps(LINE) + "\n\n" + json.dumps(second) + "\n")
    async with served(tmp_path) as gateway:
        taken = await gateway.cetp("memory", "import", str(file))
        assert (taken.code, taken.out) == (0, "2 entries were taken in.\n"), taken.err
        assert "Kim likes green tea" in (await gateway.cetp("memory", "list")).out
        assert (await gateway.cetp("memory", "search", "部署")).out.startswith("方案  [daily, ")
        exported = (await gateway.cetp("memory", "export", "--category", "core", "--since", "2026-01-01")).out
        assert [json.loads(line)["key"] for line in exported.splitlines()] == ["tea"]
        assert (await gateway.cetp("memory", "forget", "tea")).code == 0
        again = await gateway.cetp("memory", "forget", "tea")
        assert again.code == 1
        assert "cetp memory list" in again.err
        stats = json.loads((await gateway.cetp("memory", "stats", "--json")).out)
        assert (stats["count"], stats["daily"], stats["ok"]) == (1, 1, True)
        assert "1 entries: 0 core, 1 daily" in (await gateway.cetp("memory", "stats")).out


async def test_a_broken_line_is_named(tmp_path: Path) -> None:
    async with served(tmp_path) as gateway:
        broken = await gateway.cetp("memory", "import", "-", given=json.dumps(LINE) + "\nnonsense\n")
        assert broken.code == 1
        assert "line 2" in broken.err


async def test_every_command_has_an_example(tmp_path: Path) -> None:
    assert "memory" in COMMANDS
    for command in ("list", "search", "forget", "export", "import", "stats"):
        shown = await cetp("memory", command, "--help", folder=tmp_path)
        assert f"Example: cetp memory {command}" in " ".join(shown.out.split())
