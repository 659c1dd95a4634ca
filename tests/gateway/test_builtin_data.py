"""Queries over JSON and CSV."""

import sys
from pathlib import Path

import pytest

from cetp_gateway.builtin.confined import World, run_confined, sandbox_state
from support.builtin_calls import Builtins

PYTHON = (Path(sys.prefix), Path(sys.base_prefix))
ITEMS = '{"items":[{"name":"b","price":12.5},{"name":"a","price":8},{"name":"c","price":20}]}'
CSV = 'month,amount,note\n2024-01,100,rent\n2024-01,50.5,food\n2024-02,70,"a, b"\n'


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("items[?price > `10`].name | sort(@)", '["b","c"]'),
        ("sum(items[].price)", "40.5"),
        ("sort_by(items, &price)[0]", '{"name":"a","price":8}'),
        ("items[].{n: name}", '[{"n":"b"},{"n":"a"},{"n":"c"}]'),
        ("nothing.there", "null"),
        ("length(items)", "3"),
    ],
)
async def test_json_is_queried(query: str, answer: str, tmp_path: Path) -> None:
    assert await Builtins(tmp_path).said("query_json", query=query, text=ITEMS) == answer


async def test_lines_of_json_and_files_are_queried_too(tmp_path: Path) -> None:
    tools = Builtins(tmp_path)
    await tools.said("write_file", path="log.jsonl", content='{"level":"info"}\n{"level":"für"}\n')
    assert await tools.said("query_json", query="[].level", path="log.jsonl") == '["info","für"]'
    await tools.said("write_file", path="a.csv", content=CSV)
    found = await tools.value("query_csv", query="SELECT count(*) AS n FROM data", path="a.csv")
    assert found == {"columns": ["n"], "rows": [[3]], "more": False}
    assert "PERMISSION_DENIED" in await tools.refusal("query_json", query="@", path="/etc/passwd")


async def test_a_table_is_filtered_grouped_and_sorted(tmp_path: Path) -> None:
    tools = Builtins(tmp_path)
    query = "SELECT month, sum(amount) AS total FROM data GROUP BY month ORDER BY total DESC"
    found = await tools.value("query_csv", query=query, text=CSV)
    assert found == {"columns": ["month", "total"], "rows": [["2024-01", 150.5], ["2024-02", 70]], "more": False}
    found = await tools.value("query_csv", query="SELECT * FROM data", text=CSV, limit=1)
    assert (found["rows"], found["more"]) == ([["2024-01", 100, "rent"]], True)


async def test_the_delimiter_is_found_and_what_only_looks_like_a_number_stays_text(tmp_path: Path) -> None:
    tools = Builtins(tmp_path)
    text = '\ufeffplz;name;Name;\n01067;"Müller; Co";x;\n99999999999999999999;-1.50;;\n'
    found = await tools.value("query_csv", query="SELECT * FROM data", text=text)
    assert found["columns"] == ["plz", "name", "Name_2", "column4"]
    assert found["rows"] == [["01067", "Müller; Co", "x", None], ["99999999999999999999", -1.5, None, None]]


@pytest.mark.parametrize(
    "query",
    [
        "DROP TABLE data",
        "INSERT INTO data VALUES (1, 2, 3)",
        "ATTACH '/tmp/x.db' AS x",
        "PRAGMA journal_mode",
        "SELECT load_extension('x')",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
        "SELECT 1; SELECT 2",
        "SELECT wrong FROM data",
        "SELECT * FROM sqlite_master, nothing",
    ],
)
async def test_only_reading_is_a_query_and_the_columns_are_named_otherwise(query: str, tmp_path: Path) -> None:
    refusal = await Builtins(tmp_path).refusal("query_csv", query=query, text=CSV)
    assert "columns are month, amount, note" in refusal


async def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    tools = Builtins(tmp_path)
    assert "no JSON" in await tools.refusal("query_json", query="@", text="{oops")
    assert "query:" in await tools.refusal("query_json", query="items[", text=ITEMS)
    assert "either text, path or result" in await tools.refusal("query_json", query="@")
    assert "either text, path or result" in await tools.refusal("query_csv", query="SELECT 1", text=CSV, path="a.csv")
    assert "no CSV" in await tools.refusal("query_csv", query="SELECT 1", text="\n\n")


DOUBLE = " | ".join(["[@,@]"] * 40)


@pytest.mark.parametrize(
    ("tool", "query", "text"),
    [
        ("query_json", DOUBLE, ITEMS),
        ("query_json", f"{DOUBLE} | to_string(@)", ITEMS),
        ("query_json", DOUBLE + " | []" * 40, ITEMS),
        ("query_json", "@", "[" * 100_000),
        ("query_csv", "SELECT count(*) FROM data a, data b, data c, data d", "x\n" + "1\n" * 5000),
        ("query_csv", "SELECT zeroblob(2000000000)", "x\n1\n"),
        ("query_csv", "SELECT group_concat(a.x || b.x || c.x) FROM data a, data b, data c", "x\n" + "1\n" * 5000),
    ],
)
async def test_no_query_takes_long_or_much_memory(tool: str, query: str, text: str, tmp_path: Path) -> None:
    tools = Builtins(tmp_path)
    refusal = await tools.refusal(tool, query=query, text=text, within_s=4)
    assert "The query" in refusal or "query:" in refusal


async def test_a_long_result_is_cut_and_says_so(tmp_path: Path) -> None:
    text = "[" + ",".join(["12345"] * 50_000) + "]"
    said = await Builtins(tmp_path).said("query_json", query="@", text=text)
    assert "bytes left out" in said
    assert len(said) < 21_000


@pytest.mark.skipif(not sandbox_state().files, reason="this kernel has no Landlock")
async def test_a_query_runs_where_there_are_no_files(tmp_path: Path) -> None:
    code, folder = tmp_path / "code", tmp_path / "world"
    code.mkdir()
    folder.mkdir()
    (tmp_path / "secret").write_text("x")
    for path in ("/etc/passwd", str(tmp_path / "secret"), "../secret"):
        (code / "script.py").write_text(f"open({path!r})")
        world = World(folder=folder, further=(code, *PYTHON), memory_bytes=1 << 29, file_bytes=0)
        ended = await run_confined(world, [], script=str(code / "script.py"), seconds=10, out_bytes=1000)
        assert "PermissionError" in ended.err.text
