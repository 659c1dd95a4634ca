"""Every vector holds for this implementation, and every conversation is one that both sides can play."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cetp_spec import CannotBeNamed, contract, data, fit, label_for, labels, public_names, schemas
from cetp_spec.matching import MATCHERS, fill
from cetp_spec.vectors import (
    NAMESPACING,
    PAIRING_LINKS,
    WRITING_WORDS,
    Conversation,
    FitCase,
    LabelCase,
    NameCase,
    Step,
    Vector,
    WritingCase,
    conversation_files,
    conversations,
    namespacing,
    vector_files,
    vectors,
    writing_words,
)
from cetp_spec.writing_words import writing_word

NAMING = namespacing()
SAMPLES = {"string": "x", "integer": 1, "number": 1.5, "boolean": True, "object": {}, "array": [], "value": "x"}


def by_description(case: Any) -> str:
    return str(case.description)


@pytest.mark.parametrize("vector", vectors(), ids=lambda vector: vector.name)
@pytest.mark.requirement(
    "cetp.2.3.success",
    "cetp.2.3.error",
    "cetp.2.3.list-tools",
    "cetp.2.3.tool-name",
    "cetp.2.3.description",
    "cetp.2.3.parameters",
    "cetp.2.3.provider-info",
)
def test_a_value_fits_its_schema_exactly_when_the_vector_says_so(vector: Vector) -> None:
    problems = [
        f"{error.json_path}: {error.message}" for error in schemas.validator(vector.schema).iter_errors(vector.data)
    ]
    assert (not problems) == vector.valid, problems


def test_no_two_vectors_have_one_name() -> None:
    names = [vector.name for vector in vectors()]
    assert len(set(names)) == len(names)


FILES = [
    *((path, "vectors") for path in vector_files()),
    (data.vectors_folder() / NAMESPACING, "namespacing"),
    (data.vectors_folder() / PAIRING_LINKS, "pairing-links"),
    (data.vectors_folder() / WRITING_WORDS, "writing-words"),
    *((path, "conversation") for path in conversation_files()),
]


@pytest.mark.parametrize(("path", "kind"), FILES, ids=lambda part: getattr(part, "stem", part))
def test_a_vector_file_has_the_published_layout(path: Path, kind: str) -> None:
    schemas.validator(kind).validate(data.read_json(path))


@pytest.mark.parametrize("case", NAMING.labels, ids=by_description)
@pytest.mark.requirement("cetp.3.1.prefix")
def test_labels_come_out_as_in_the_vectors(case: LabelCase) -> None:
    assert labels(case.labels) == case.labels
    if len(case.labels) == 1:
        assert [label_for(package) for package in case.labels] == list(case.labels.values())


@pytest.mark.parametrize("case", NAMING.names, ids=by_description)
@pytest.mark.requirement("cetp.2.3.namespace", "cetp.3.1.prefix", "cetp.2.3.tool-name")
def test_public_names_come_out_as_in_the_vectors(case: NameCase) -> None:
    named = {package: [tool for tool, name in tools.items() if name] for package, tools in case.names.items()}
    expected = {(package, tool): case.names[package][tool] for package, tools in named.items() for tool in tools}
    assert public_names(named) == expected
    for package, tools in case.names.items():
        for tool in set(tools) - set(named[package]):
            with pytest.raises(CannotBeNamed):
                public_names({package: [tool]})


@pytest.mark.parametrize("case", NAMING.fit, ids=by_description)
def test_single_names_are_made_legal_as_in_the_vectors(case: FitCase) -> None:
    def fitted() -> str:
        return fit(case.name, case.stands_for, attempt=case.attempt)

    if case.fitted is False:
        with pytest.raises(CannotBeNamed):
            fitted()
    else:
        assert fitted() == case.fitted


@pytest.mark.parametrize("case", writing_words(), ids=by_description)
@pytest.mark.requirement("cetp.1.read-only", "cetp.2.3.read-only")
def test_names_say_that_they_write_as_in_the_vectors(case: WritingCase) -> None:
    assert (writing_word(case.name) or False) == case.word


each_conversation: Callable[[Any], Any] = pytest.mark.parametrize("conversation", conversations(), ids=by_description)


@each_conversation
def test_a_device_sends_only_frames_that_fit_unless_they_are_wrong_on_purpose(conversation: Conversation) -> None:
    for step in _of(conversation, "device"):
        frame = fill(step.content, _saved_in(conversation))
        problems = [error.message for error in schemas.validator("device-frame").iter_errors(frame)]
        assert bool(problems) == bool(step.wrong), (step, problems)


@each_conversation
def test_a_gateway_is_expected_to_send_only_frames_that_fit(conversation: Conversation) -> None:
    for step in _of(conversation, "gateway"):
        for pattern in step.patterns:
            errors = schemas.validator("gateway-frame").iter_errors(_sample(pattern))
            # A pattern names the keys that matter there; what it leaves out is no contradiction.
            assert [error.message for error in errors if error.validator != "required"] == [], pattern


@each_conversation
def test_what_a_conversation_refers_to_came_before(conversation: Conversation) -> None:
    saved: set[str] = set()
    calls: set[str] = set()
    for step in conversation.steps:
        if step.kind == "call":
            calls.add(step.content["as"])
        elif step.kind in {"cancel", "outcome"}:
            assert (step.content if step.kind == "cancel" else step.content["of"]) in calls
        new = set(_named(step.content, "$save"))
        assert not new & saved, "one name stands for one thing"
        assert set(_named(step.content, "$saved")) <= saved
        saved |= new


@each_conversation
def test_a_conversation_requires_exactly_the_extensions_that_its_device_offers(conversation: Conversation) -> None:
    ours = set(contract()["gateway"]["capabilities"])
    offered = {
        name
        for step in _of(conversation, "device")
        if step.content.get("type") == "connect"
        for name in step.content.get("capabilities", ())
    }
    assert set(conversation.requires) == offered & ours


def test_a_misspelt_key_in_a_vector_file_is_an_error() -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field `lables`"):
        msgspec.json.decode(b'{"lables":[],"names":[],"fit":[]}', type=type(NAMING))


def _of(conversation: Conversation, kind: str) -> list[Step]:
    return [step for step in conversation.steps if step.kind == kind]


def _saved_in(conversation: Conversation) -> dict[str, Any]:
    return {name: name for step in conversation.steps for name in _named(step.content, "$save")}


def _named(node: Any, matcher: str) -> Iterator[str]:
    """The names behind all matchers of one kind, at any depth."""
    if isinstance(node, dict):
        if matcher in node:
            yield node[matcher]
        for part in node.values():
            yield from _named(part, matcher)
    elif isinstance(node, list):
        for part in node:
            yield from _named(part, matcher)


def _sample(pattern: Any) -> Any:
    """A value that fits a pattern."""
    if isinstance(pattern, list):
        return [_sample(part) for part in pattern]
    if not isinstance(pattern, dict):
        return pattern
    if "$unordered" in pattern:
        return _sample(pattern["$unordered"])
    if MATCHERS & set(pattern):
        return SAMPLES[pattern.get("$any", "string")]
    return {key: _sample(part) for key, part in pattern.items() if part != {"$absent": True}}
