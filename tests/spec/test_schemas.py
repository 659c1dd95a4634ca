"""The schemas are valid, complete, of plain keywords that every language can check, and never ask the network."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing.exceptions import Unresolvable

from cetp_spec import data, schemas
from cetp_spec.vectors import vectors

README = data.root() / "README.md"
FRAME_KINDS = ("device-frame", "gateway-frame")


@pytest.mark.parametrize("kind", schemas.KINDS)
def test_a_schema_is_valid_and_has_its_own_id(kind: str) -> None:
    schema = schemas.load(kind)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"urn:cetp:v1:{kind}"


def test_the_kinds_are_the_files_of_the_folder() -> None:
    files = [path.name.removesuffix(schemas.SUFFIX) for path in data.schemas_folder().iterdir()]
    assert sorted(files) == list(schemas.KINDS)


def test_an_unknown_kind_is_refused_with_the_known_ones() -> None:
    with pytest.raises(schemas.UnknownKind, match=r"no schema is called 'tools'; there are .*list-tools-data"):
        schemas.load("tools")
    with pytest.raises(schemas.UnknownKind):
        schemas.validator("../contract")


@pytest.mark.parametrize("kind", schemas.KINDS)
def test_a_validator_is_made_once_and_finds_all_it_refers_to(kind: str) -> None:
    validator = schemas.validator(kind)
    assert schemas.validator(kind) is validator
    for reference in _values(schemas.load(kind), "$ref"):
        assert validator.evolve(schema={"$ref": f"urn:cetp:v1:{kind}{reference}" if reference[0] == "#" else reference})


def test_a_reference_beyond_our_files_is_an_error_and_no_request() -> None:
    foreign = schemas.validator("tool").evolve(schema={"$ref": "http://127.0.0.1:9/tool.schema.json"})
    with pytest.raises(Unresolvable):
        foreign.is_valid({})


@pytest.mark.parametrize("kind", schemas.KINDS)
def test_a_schema_uses_only_the_keywords_that_the_specification_promises(kind: str) -> None:
    promised = set(re.findall(r"`([^`\s]+)`", _paragraph("The schemas use only these keywords")))
    assert set(_keywords(schemas.load(kind))) <= promised


@pytest.mark.parametrize("kind", schemas.KINDS)
def test_patterns_mean_the_same_in_javascript_java_and_python(kind: str) -> None:
    for pattern in _values(schemas.load(kind), "pattern"):
        # `$` would let a line feed through in two of the three; letter classes and (?…) differ.
        without_classes = re.sub(r"\[[^\]]*\]", "", pattern)
        assert not re.search(r"\$(?!$)|\(\?|\\[^trn]|[*+?}][+?]", without_classes), pattern


@pytest.mark.parametrize("kind", schemas.KINDS)
def test_every_schema_has_vectors_that_fit_and_that_do_not(kind: str) -> None:
    assert {vector.valid for vector in vectors() if vector.schema == kind} == {True, False}


@pytest.mark.parametrize("kind", FRAME_KINDS)
def test_every_frame_has_a_valid_vector(kind: str) -> None:
    shown = {vector.data["type"] for vector in vectors() if vector.schema == kind and vector.valid}
    assert _frame_types(kind) <= shown


@pytest.mark.parametrize("kind", FRAME_KINDS)
def test_the_readme_describes_every_frame(kind: str) -> None:
    text = README.read_text(encoding="utf-8")
    assert [name for name in sorted(_frame_types(kind)) if f"`{name}`" not in text] == []


def _frame_types(kind: str) -> set[str]:
    schema = schemas.load(kind)
    named: set[str] = set(schema["properties"]["type"].get("enum", ()))
    for branch in schema["allOf"]:
        condition = branch["if"]["properties"]["type"]
        named.update(condition.get("enum", [condition.get("const")]))
    return named


def _values(node: Any, keyword: str) -> Iterator[str]:
    """The texts that stand under a keyword, at any depth."""
    if isinstance(node, dict):
        if isinstance(node.get(keyword), str):
            yield node[keyword]
        for part in node.values():
            yield from _values(part, keyword)
    elif isinstance(node, list):
        for part in node:
            yield from _values(part, keyword)


def _keywords(schema: Any) -> Iterator[str]:
    """The keywords of a schema and all schemas inside it; names of properties are none."""
    if not isinstance(schema, dict):
        return
    for keyword, value in schema.items():
        yield keyword
        if keyword in {"properties", "$defs"}:
            for part in value.values():
                yield from _keywords(part)
        elif keyword in {"allOf", "anyOf", "oneOf"}:
            for part in value:
                yield from _keywords(part)
        elif keyword not in {"const", "enum"}:
            yield from _keywords(value)


def _paragraph(start: str) -> str:
    text = README.read_text(encoding="utf-8")
    return text[text.index(start) :].split("\n\n", 1)[0]
