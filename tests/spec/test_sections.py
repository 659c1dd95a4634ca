"""Whoever cites the specification cites a section that it has."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

from cetp_spec import data
from cetp_spec.vectors import conversations, namespacing, pairing_links, vectors, writing_words

CHECKOUT = data.root().parent
HEADING = re.compile(r"^#{2,3} (\d+(?:\.\d+)?) ", re.MULTILINE)
CITATION = re.compile(r"\b[Ss]pec (\d+(?:\.\d+)?(?:(?:, | and )\d+(?:\.\d+)?)*)")


def headings() -> list[str]:
    return HEADING.findall((data.root() / "README.md").read_text(encoding="utf-8"))


def sources() -> Iterator[Path]:
    for folder, ending in (
        ("cetp-spec/cetp_spec", "py"),
        ("gateway", "py"),
        ("tests", "py"),
        ("cetp-spec/schemas", "json"),
    ):
        yield from sorted((CHECKOUT / folder).rglob(f"*.{ending}"))


def test_sections_are_numbered_without_gaps() -> None:
    numbers = [tuple(map(int, heading.split("."))) for heading in headings()]
    for before, after in itertools.pairwise(numbers):
        assert after in {(before[0] + 1,), (before[0], before[1] + 1 if len(before) > 1 else 1)}, (before, after)


def test_code_and_schemas_cite_sections_that_exist() -> None:
    known = set(headings())
    unknown = [
        f"{path.relative_to(CHECKOUT)}: spec {section}"
        for path in sources()
        for cited in CITATION.findall(path.read_text(encoding="utf-8"))
        for section in re.split(r", | and ", cited)
        if section not in known
    ]
    assert not unknown, "\n".join(unknown)


def test_vectors_and_conversations_cite_sections_that_exist() -> None:
    naming = namespacing()
    cited = {vector.section for vector in vectors()} | {conversation.section for conversation in conversations()}
    cited |= {case.section for case in naming.labels} | {case.section for case in naming.names}
    cited |= {case.section for case in naming.fit} | {case.section for case in writing_words()}
    cited |= {case.section for case in pairing_links()}
    assert cited <= set(headings())
