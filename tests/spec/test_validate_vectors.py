"""The validator and the published vectors agree: what a vector calls valid has no error, what it does not has one."""

import json
from typing import Any

import pytest

from cetp_spec.validator import Severity, validate
from cetp_spec.vectors import Vector, vectors
from support.manifests import AUTHORITY, VERSION, action_filter, manifest, meta, provider, service
from support.validating import json_bytes

KINDS = {"tool": "tool", "list-tools-data": "list-tools", "reply": "reply", "provider-info": "provider-info"}
VECTORS = [vector for vector in vectors() if vector.schema in KINDS]
DISCOVERY = [vector for vector in vectors() if vector.schema == "discovery-entry" and isinstance(vector.data, dict)]


def has_error(content: bytes, kind: str, application_id: str = "") -> bool:
    found = validate(content, kind, application_id=application_id)
    return any(item.severity is Severity.ERROR for item in found)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_answers_are_judged_as_the_vectors_do(vector: Vector) -> None:
    assert has_error(json_bytes(vector.data), KINDS[vector.schema]) is not vector.valid


@pytest.mark.parametrize(
    "vector", [item for item in vectors() if item.schema == "parameters"], ids=lambda item: item.name
)
def test_parameters_are_judged_as_the_vectors_do(vector: Vector) -> None:
    tool = {"name": "get_notes", "description": "Notes.", "parameters": vector.data}
    assert has_error(json_bytes(tool), "tool") is not vector.valid


@pytest.mark.parametrize("vector", [item for item in DISCOVERY if item.valid], ids=lambda item: item.name)
def test_manifests_that_say_what_a_valid_entry_says_are_without_error(vector: Vector) -> None:
    assert not has_error(manifest_of(vector.data).encode(), "manifest")


# A manifest cannot give the text 1 apart from the number.
@pytest.mark.parametrize(
    "vector",
    [item for item in DISCOVERY if not item.valid and not isinstance(item.data["version"], str)],
    ids=lambda item: item.name,
)
def test_manifests_that_say_what_an_invalid_entry_says_have_a_problem(vector: Vector) -> None:
    assert validate(manifest_of(vector.data).encode())


def manifest_of(entry: dict[str, Any]) -> str:
    """The source manifest that a discovery entry was read from."""
    authority = [meta(AUTHORITY, entry["authority"])] if "authority" in entry else []
    version = json.dumps(entry["version"])
    found = service(
        *authority,
        meta(VERSION, version),
        attributes=exported(entry["service"]),
        filters=action_filter(entry["service"]["action"]),
    )
    called = entry.get("provider")
    if called is None:
        return manifest(found, package=entry["package"])
    permission = f'android:permission="{called["permission"]}"' if "permission" in called else ""
    providing = provider(";".join(called["authorities"]), exported(called), permission=permission)
    return manifest(found, providing, package=entry["package"])


def exported(part: dict[str, Any]) -> str:
    return f'android:exported="{json.dumps(part["exported"])}"'
