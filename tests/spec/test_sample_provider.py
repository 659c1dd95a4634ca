"""The sample provider is what the specification asks of a provider: its manifest, its recorded replies, its calls."""

import json
from pathlib import Path
from typing import Any

import pytest

from cetp_spec.codes import ErrorCode
from cetp_spec.schemas import validator
from cetp_spec.validator import validate

SAMPLE = Path(__file__).parents[2] / "provider-sample"
GOLDEN = {file.stem: json.loads(file.read_text("utf-8")) for file in sorted((SAMPLE / "golden").glob("*.json"))}


def data_of(name: str) -> Any:
    return json.loads(GOLDEN[name]["data"])


def test_its_project_has_no_problems_for_the_validator() -> None:
    assert validate(SAMPLE, application_id="com.example.notes") == []


@pytest.mark.parametrize("name", GOLDEN)
def test_a_recorded_reply_fits_the_schema_and_the_validator(name: str) -> None:
    assert [error.message for error in validator("reply").iter_errors(GOLDEN[name])] == []
    assert validate(SAMPLE / f"golden/{name}.json", application_id="com.example.notes") == []


def test_recorded_tools_and_facts_fit_their_schemas() -> None:
    assert not list(validator("list-tools-data").iter_errors(data_of("list_tools")))
    assert not list(validator("provider-info").iter_errors(data_of("get_provider_info")))


def test_all_six_codes_are_among_the_recorded_replies() -> None:
    assert {reply["error_code"] for reply in GOLDEN.values() if "error_code" in reply} == {
        code.value for code in ErrorCode
    }


def test_the_provider_to_copy_is_four_files_of_which_the_provider_has_about_a_hundred_lines() -> None:
    files = {file.name: file.read_text("utf-8") for file in SAMPLE.glob("src/main/kotlin/com/example/notes/cetp/*.kt")}
    assert len(files) == 4
    assert files["ToolProvider.kt"].count("\n") <= 125
