"""The list of demands and the tests agree: what is built is proven, and nobody proves what nobody asked for."""

import ast
import re
from collections.abc import Iterator

import pytest

from cetp_spec import data
from cetp_spec.requirements import Requirement, Status, requirements

CHECKOUT = data.root().parent
PREFIXES = {"cetp-v1": "cetp.", "runtime-architecture": "runtime.", "browser-pipe": "pipe."}
KOTLIN_MARK = re.compile(r"@Requirement\(([^)]*)\)")
# Build results and other people's code hold no tests of ours.
PASSED_OVER = {".venv", "build", ".gradle", ".git"}


def test_every_demand_that_is_built_has_a_test() -> None:
    proven = {name for name, _ in _marks()}
    missing = [entry for entry in requirements() if entry.status is Status.NOW and entry.id not in proven]
    if missing:
        pytest.fail(f"{len(missing)} demands without a test:\n" + "\n".join(map(_line, missing)), pytrace=False)


def test_no_test_names_an_unknown_demand() -> None:
    known = {entry.id for entry in requirements()}
    unknown = [f"  {place}: {name}" for name, place in _marks() if name not in known]
    if unknown:
        pytest.fail("unknown demands:\n" + "\n".join(unknown), pytrace=False)


def test_ids_are_unique_short_and_start_with_their_document() -> None:
    entries = requirements()
    assert len({entry.id for entry in entries}) == len(entries)
    for entry in entries:
        assert re.fullmatch(r"[a-z0-9]+(\.[a-z0-9-]+)+", entry.id)
        assert entry.id.startswith(PREFIXES[entry.document])
        assert len(entry.id) <= 48


def test_every_demand_is_one_sentence_with_its_section() -> None:
    for entry in requirements():
        assert entry.section, entry.id
        assert re.fullmatch(r"[A-Z`].*\.", entry.sentence), entry.id


def test_the_numbered_documents_cite_their_sections_in_order() -> None:
    for document in ("cetp-v1", "browser-pipe"):
        sections = [entry.section.split(".") for entry in requirements() if entry.document == document]
        assert sections == sorted(sections), document


def _line(entry: Requirement) -> str:
    return f"  {entry.id}: {entry.sentence}"


def _marks() -> Iterator[tuple[str, str]]:
    """Every id that a test carries, and the file where it does."""
    for path in sorted((CHECKOUT / "tests").rglob("*.py")):
        for name in _python_marks(path.read_text(encoding="utf-8")):
            yield name, str(path.relative_to(CHECKOUT))
    for path in sorted(CHECKOUT.rglob("*.kt")):
        if not PASSED_OVER & set(path.parts):
            for mark in KOTLIN_MARK.findall(path.read_text(encoding="utf-8")):
                yield from ((name, str(path.relative_to(CHECKOUT))) for name in re.findall(r'"([^"]*)"', mark))


def _python_marks(source: str) -> Iterator[str]:
    """Arguments of every `pytest.mark.requirement(…)`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.requirement":
            yield from (ast.literal_eval(argument) for argument in node.args)


def test_marks_are_found_in_python_and_kotlin() -> None:
    assert list(_python_marks('@pytest.mark.requirement("a.b", "c.d")\ndef test_x(): ...\n')) == ["a.b", "c.d"]
    assert KOTLIN_MARK.findall('@Requirement("a.b",\n "c.d")\nfun x() {}') == ['"a.b",\n "c.d"']
