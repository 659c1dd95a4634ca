"""The tools for files of the workspace."""

import asyncio
from pathlib import Path

import pytest

from support.builtin_calls import Builtins


async def test_a_file_is_written_read_changed_and_listed(tmp_path: Path) -> None:
    tools = Builtins(tmp_path)
    assert await tools.said("write_file", path="notes/plan.md", content="# Plan\nbuy milk\n") == (
        "16 bytes written to notes/plan.md."
    )
    assert await tools.said("read_file", path="notes/plan.md") == "[notes/plan.md: 2 lines]\n# Plan\nbuy milk\n"
    assert "line 2" in await tools.said("edit_file", path="notes/plan.md", old="milk", new="bread")
    assert (tools.workspace / "notes/plan.md").read_text() == "# Plan\nbuy bread\n"
    listed = await tools.value("list_files", path="notes")
    assert [(row["name"], row["kind"], row["bytes"]) for row in listed["entries"]] == [("plan.md", "file", 17)]


async def test_the_workspace_is_made_on_first_use_for_its_owner_alone(tmp_path: Path) -> None:
    tools = Builtins(tmp_path)
    assert not tools.workspace.exists()
    assert (await tools.value("list_files"))["entries"] == []
    assert tools.workspace.stat().st_mode & 0o777 == 0o700


async def test_a_file_that_is_there_is_not_overwritten_unless_that_is_asked_for(tmp_path: Path) -> None:
    tools = Builtins(tmp_path)
    await tools.said("write_file", path="a", content="one")
    assert "a exists already" in await tools.refusal("write_file", path="a", content="two")
    assert (tools.workspace / "a").read_text() == "one"
    (tools.workspace / "a").chmod(0o640)
    await tools.said("write_file", path="a", content="two", mode="overwrite")
    assert (tools.workspace / "a").read_text() == "two"
    assert (tools.workspace / "a").stat().st_mode & 0o777 == 0o640


async def test_what_calls_of_one_step_append_at_the_same_time_is_all_there(tmp_path: Path) -> None:
    tools = Builtins(tmp_path)
    await asyncio.gather(*(tools.said("write_file", path="log", content=f"{n:02}\n", mode="append") for n in range(20)))
    assert sorted((tools.workspace / "log").read_text().split()) == [f"{n:02}" for n in range(20)]
    assert [file.name for file in tools.workspace.iterdir()] == ["log"]


async def test_a_part_of_a_long_file_says_where_to_go_on(tmp_path: Path) -> None:
    tools = Builtins(tmp_path)
    await tools.said("write_file", path="a", content="".join(f"{n} {'x' * 90}\n" for n in range(1, 1001)))
    first = await tools.said("read_file", path="a")
    assert first.startswith("[a: lines 1 to 2")
    assert len(first) < 20_100
    assert await tools.said("read_file", path="a", first_line=999, max_lines=1) == (
        f"[a: lines 999 to 999 of 1000; go on with first_line 1000]\n999 {'x' * 90}\n"
    )
    assert "a has 1000 lines" in await tools.refusal("read_file", path="a", first_line=1001)


async def test_one_endless_line_is_cut_and_says_so(tmp_path: Path) -> None:
    tools = Builtins(tmp_path)
    await tools.said("write_file", path="a", content="x" * 100_000)
    said = await tools.said("read_file", path="a")
    assert said.endswith("… (the line goes on)\n")
    assert len(said) < 20_100


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n\0\0", "für".encode("latin-1")])
async def test_what_is_no_text_is_not_shown_and_not_changed(content: bytes, tmp_path: Path) -> None:
    tools = Builtins(tmp_path)
    tools.workspace.mkdir()
    (tools.workspace / "a").write_bytes(content)
    assert await tools.said("read_file", path="a") == f"[a: {len(content)} bytes, not text]"
    assert "not text" in await tools.refusal("edit_file", path="a", old="f", new="g")
    assert (tools.workspace / "a").read_bytes() == content


async def test_an_edit_that_is_not_clear_changes_nothing(tmp_path: Path) -> None:
    tools = Builtins(tmp_path)
    await tools.said("write_file", path="a", content="one two one")
    assert "stands in a 2 times" in await tools.refusal("edit_file", path="a", old="one", new="1")
    assert "does not have this text" in await tools.refusal("edit_file", path="a", old="three", new="3")
    assert (tools.workspace / "a").read_text() == "one two one"
    assert "2 places" in await tools.said("edit_file", path="a", old="one", new="1", every=True)
    assert (tools.workspace / "a").read_text() == "1 two 1"


async def test_an_edit_keeps_the_line_ends_of_the_file(tmp_path: Path) -> None:
    tools = Builtins(tmp_path)
    tools.workspace.mkdir()
    (tools.workspace / "a").write_bytes(b"one\r\ntwo\r\n")
    await tools.said("edit_file", path="a", old="one\ntwo", new="1\n2\n3")
    assert (tools.workspace / "a").read_bytes() == b"1\r\n2\r\n3\r\n"


async def test_sizes_are_bounded(tmp_path: Path) -> None:
    tools = Builtins(tmp_path, builtin={"file_bytes": 1024})
    assert "1024 bytes" in await tools.refusal("write_file", path="a", content="x" * 1025)
    await tools.said("write_file", path="a", content="x" * 1024)
    assert "1024 bytes" in await tools.refusal("write_file", path="a", content="x", mode="append")
    assert "1024 bytes" in await tools.refusal("edit_file", path="a", old="x", new="xx", every=True)
    with (tools.workspace / "a").open("ab") as file:
        file.write(b"x")
    assert "more than 1024 bytes" in await tools.refusal("read_file", path="a")


async def test_files_are_found_by_globs_of_their_paths(tmp_path: Path) -> None:
    tools = Builtins(tmp_path)
    for path in ("a.md", "b.txt", "sub/c.md", "sub/deep/d.md", "sub/deep/e.txt"):
        await tools.said("write_file", path=path, content="x")

    async def found(glob: str, **more: str) -> list[str]:
        paths: list[str] = (await tools.value("find_files", glob=glob, **more))["paths"]
        return paths

    assert await found("*.md") == ["a.md", "sub/c.md", "sub/deep/d.md"]
    assert await found("sub/*.md") == ["sub/c.md"]
    assert await found("sub/**/*.md") == ["sub/c.md", "sub/deep/d.md"]
    assert await found("**/deep", kind="folder") == ["sub/deep"]
    assert await found("*.md", path="sub") == ["sub/c.md", "sub/deep/d.md"]
    assert (await tools.value("find_files", glob="*.md", limit=1))["left_out"] == 2


async def test_lines_are_found_by_words_and_by_expressions(tmp_path: Path) -> None:
    tools = Builtins(tmp_path)
    await tools.said("write_file", path="a.md", content="Rent 640 EUR\nnothing\n")
    await tools.said("write_file", path="sub/b.txt", content="the rent of May\n")
    assert await tools.said("search_files", text="rent") == "a.md:1: Rent 640 EUR\nsub/b.txt:1: the rent of May"
    assert await tools.said("search_files", text="rent", ignore_case=False) == "sub/b.txt:1: the rent of May"
    assert await tools.said("search_files", text=r"^rent \d{3}", expression=True) == "a.md:1: Rent 640 EUR"
    assert await tools.said("search_files", text="rent", glob="*.txt") == "sub/b.txt:1: the rent of May"
    assert await tools.said("search_files", text="(", path="sub") == "No line fits."
    assert "more than 1 lines" in await tools.said("search_files", text="rent", limit=1)


@pytest.mark.parametrize("text", ["(a|aa)+$", "(a*)*b", "(x+x+)+y", "(.*)*(.*)*(.*)*!"])
async def test_no_expression_takes_long(text: str, tmp_path: Path) -> None:
    tools = Builtins(tmp_path)
    await tools.said("write_file", path="a", content=("a" * 5000 + "x" * 5000 + "\n") * 10)
    assert await tools.said("search_files", text=text, expression=True) == "No line fits."


@pytest.mark.parametrize("text", ["(?=a)b", r"(a)\1", "(", "a{1000}{1000}{1000}"])
async def test_an_expression_that_cannot_be_searched_for_in_time_is_refused(text: str, tmp_path: Path) -> None:
    tools = Builtins(tmp_path)
    await tools.said("write_file", path="a", content="aa\n")
    assert "no regular expression" in await tools.refusal("search_files", text=text, expression=True)


async def test_what_is_missing_is_named(tmp_path: Path) -> None:
    tools = Builtins(tmp_path)
    assert "/path" in await tools.refusal("read_file", path="")
    assert "There is no file missing" in await tools.refusal("read_file", path="missing")
    assert "There is no folder missing" in await tools.refusal("list_files", path="missing/x")
