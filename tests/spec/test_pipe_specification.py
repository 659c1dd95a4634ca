"""The pipe's specification holds together: schemas, actions, codes, sections and vectors agree with each other."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from cetp_spec import data
from cetp_spec.pipe import PipeCode, actions, params_schema, result_schema, rule, rules, schemas, vectors

CHECKOUT = data.root().parent
TEXT = (data.root() / "pipe" / "README.md").read_text(encoding="utf-8")
HEADINGS = re.findall(r"^#{2,3} (\d+(?:\.\d+)?) ", TEXT, re.MULTILINE)
CITATION = re.compile(r"\bpipe (\d+(?:\.\d+)?(?:(?:, | and )\d+(?:\.\d+)?)*)\b(?!\s*(?:ms|s)\b)")
DEFINITIONS = [f"{kind}/{action}" for kind in ("params", "result") for action in actions()]


@pytest.mark.parametrize("kind", schemas.KINDS)
def test_a_schema_is_valid_and_has_its_own_id(kind: str) -> None:
    schema = schemas.load(kind)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"urn:cetp:pipe:1.0:{kind}"


def test_the_kinds_are_the_files_of_the_folder() -> None:
    files = [path.name.removesuffix(schemas.SUFFIX) for path in (data.root() / "pipe" / "schemas").iterdir()]
    assert sorted(files) == list(schemas.KINDS)


@pytest.mark.parametrize("name", ["nothing", "../init", "params/nothing"])
def test_an_unknown_schema_is_refused(name: str) -> None:
    with pytest.raises(schemas.UnknownSchema):
        schemas.validator(name)


@pytest.mark.parametrize("name", [*schemas.KINDS, *DEFINITIONS])
def test_a_schema_uses_only_the_keywords_that_the_text_promises(name: str) -> None:
    paragraph = TEXT[TEXT.index("The schemas use only these keywords") :].split("References", 1)[0]
    assert set(_keywords(schemas.load(name))) <= set(re.findall(r"`([^`\s]+)`", paragraph))


@pytest.mark.parametrize("kind", schemas.KINDS)
def test_patterns_mean_the_same_in_javascript_java_and_python(kind: str) -> None:
    for pattern in _patterns(schemas.load(kind)):
        without_classes = re.sub(r"\[[^\]]*\]", "", pattern)
        assert not re.search(r"\$(?!$)|\(\?|[*+?}][+?]", without_classes), pattern


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_the_schema_of_an_action_is_self_contained(definition: str) -> None:
    assert "$ref" not in set(_keywords(schemas.load(definition)))


@pytest.mark.requirement("pipe.4.schema")
def test_actions_have_params_a_result_and_a_place_in_the_command() -> None:
    assert set(schemas.load("command")["properties"]["action"]["enum"]) == set(actions())
    assert {name for name, action in actions().items() if action.core} == {"click", "type", "navigate", "getText"}
    for action in actions():
        assert params_schema(action)["additionalProperties"] is False
        assert "timeout_ms" in params_schema(action)["properties"]
        assert result_schema(action)["type"] == "object"
        assert f"| `{action}` |" in TEXT


@pytest.mark.requirement("pipe.6.pipe-errors", "pipe.6.mac-errors", "pipe.6.selector-timeout", "pipe.6.navigation")
def test_the_error_table_has_every_code_with_the_retries_of_the_standard() -> None:
    assert set(rules()) == set(PipeCode)
    for code, entry in rules().items():
        assert entry.family == code.partition("_")[0]
        assert set(entry.by) <= {"host", "agent"}
        if entry.family in {"PIPE", "MAC"}:
            assert entry.waits_ms == ()
    assert rule("CMD_SELECTOR_TIMEOUT").waits_ms == (500, 1000)
    assert rule("CMD_NAVIGATION_FAILED").waits_ms == (1000,)
    assert len(rule("INTERNAL_UNKNOWN").waits_ms) == 1


def test_a_code_that_is_not_in_the_table_is_treated_like_its_family() -> None:
    assert rule("INTERNAL_OTHER").waits_ms == (500,)
    assert rule("CMD_OTHER") == rule("CMD_ANOTHER")
    assert rule("OTHER").waits_ms == ()


def test_the_text_names_no_code_that_is_not_in_the_table() -> None:
    named = set(re.findall(r"`((?:PIPE|MAC|CMD|INTERNAL)_[A-Z_]+)`", TEXT))
    assert named <= set(PipeCode)


def test_sections_are_numbered_without_gaps() -> None:
    numbers = [tuple(map(int, heading.split("."))) for heading in HEADINGS]
    for before, after in itertools.pairwise(numbers):
        assert after in {(before[0] + 1,), (before[0], before[1] + 1 if len(before) > 1 else 1)}, (before, after)


def test_code_schemas_and_vectors_cite_sections_that_exist() -> None:
    cited = {section for path in _sources() for section in _cited(path.read_text(encoding="utf-8"))}
    cited |= {case.section for case in vectors.messages()} | {case.section for case in vectors.conversations()}
    for cases in _case_lists():
        cited |= {case.section for case in cases}
    assert cited <= set(HEADINGS)


def test_descriptions_are_unique_in_their_file() -> None:
    for names in ([case.description for case in cases] for cases in _case_lists()):
        assert len(set(names)) == len(names)
    names = [case.name for case in vectors.messages()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("case", vectors.messages(), ids=lambda case: case.name)
@pytest.mark.requirement("pipe.4.command", "pipe.4.response", "pipe.4.error", "pipe.4.schema", "pipe.3.init-ack")
def test_a_value_fits_its_schema_exactly_when_the_vector_says_so(case: vectors.MessageCase) -> None:
    problems = [
        f"{error.json_path}: {error.message}" for error in schemas.validator(case.schema).iter_errors(case.data)
    ]
    assert (not problems) == case.valid, problems


def test_every_schema_has_vectors_that_fit_and_that_do_not() -> None:
    kinds = {"init", "init-ack", "command", "response", *DEFINITIONS}
    shown = {(case.schema, case.valid) for case in vectors.messages()}
    assert {(kind, valid) for kind in kinds for valid in (True, False)} <= shown


def _case_lists() -> Iterator[tuple[Any, ...]]:
    yield from (vectors.keys(), vectors.stable_json(), vectors.signatures(), vectors.refused_hmacs())
    yield from (vectors.chunks(), vectors.sizes(), vectors.refused_lines())


def _sources() -> Iterator[Path]:
    for folder, ending in (
        ("cetp-spec/cetp_spec/pipe", "py"),
        ("gateway/cetp_gateway/pipe", "py"),
        ("cetp-spec/pipe/schemas", "json"),
    ):
        yield from sorted((CHECKOUT / folder).rglob(f"*.{ending}"))


def _cited(text: str) -> Iterator[str]:
    for group in CITATION.findall(text):
        yield from re.split(r", | and ", group)


def _patterns(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("pattern"), str):
            yield node["pattern"]
        for part in node.values():
            yield from _patterns(part)
    elif isinstance(node, list):
        for part in node:
            yield from _patterns(part)


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
