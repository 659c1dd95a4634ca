"""What phones say when a call has failed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cetp_gateway.api import Answered, Refused
from cetp_gateway.devices.frames import ToolError, ToolResult
from cetp_gateway.devices.refusals import outcome_of, parse_refusal


def joined(refused: Refused) -> str:
    return f"[{refused.code}] {refused.message}" + (f" — {refused.hint}" if refused.hint else "")


@pytest.mark.parametrize(
    ("text", "code", "message", "hint"),
    [
        ("[AUTH_REQUIRED] sign in first", "AUTH_REQUIRED", "sign in first", ""),
        ("[AUTH_REQUIRED] sign in first — Open Notes", "AUTH_REQUIRED", "sign in first", "Open Notes"),
        ("[RATE_LIMITED] slow — really — wait", "RATE_LIMITED", "slow — really", "wait"),
        ("[OWN_CODE_7] x\ny — z", "OWN_CODE_7", "x\ny", "z"),
        ("[INTERNAL_ERROR]  — hint", "INTERNAL_ERROR", "", "hint"),
        ("[INTERNAL_ERROR] ends with a dash — ", "INTERNAL_ERROR", "ends with a dash — ", ""),
    ],
)
def test_the_parts_of_a_coded_text_are_told_apart(text: str, code: str, message: str, hint: str) -> None:
    refused = parse_refusal(text)
    assert (refused.code, refused.message, refused.hint) == (code, message, hint)
    assert joined(refused) == text


@pytest.mark.parametrize(
    "text", ["disk full", "[lower] x", "[] x", "[CODE]", "x [CODE] y", "[CODE]x", f"[{'A' * 65}] x"]
)
def test_a_text_of_another_form_is_the_message_unchanged(text: str) -> None:
    assert parse_refusal(text) == Refused("INTERNAL_ERROR", text)


@given(st.from_regex(r"[A-Z][A-Z0-9_]{0,20}", fullmatch=True), st.text(), st.text())
def test_the_original_text_can_always_be_joined_again(code: str, message: str, hint: str) -> None:
    text = joined(Refused(code, message, hint))
    assert joined(parse_refusal(text)) == text


@given(st.text(min_size=1))
def test_every_text_is_found_in_what_is_joined(text: str) -> None:
    assert text in joined(parse_refusal(text))


def test_a_good_result_is_passed_on_unchanged() -> None:
    assert outcome_of(ToolResult(id="1", output=' {"a": 1.10}\n')) == Answered(' {"a": 1.10}\n')


def test_a_result_without_success_is_refused_with_its_error_or_else_its_output() -> None:
    assert outcome_of(ToolResult(success=False, output="half", error="disk full")) == Refused(
        "INTERNAL_ERROR", "disk full"
    )
    assert outcome_of(ToolResult(success=False, output="half of it")) == Refused("INTERNAL_ERROR", "half of it")


@pytest.mark.parametrize("frame", [ToolError(id="1"), ToolError(id="1", error=""), ToolResult(id="1", success=False)])
def test_a_failure_without_a_text_gets_a_sentence(frame: ToolError | ToolResult) -> None:
    outcome = outcome_of(frame)
    assert isinstance(outcome, Refused)
    assert (outcome.code, "without saying" in outcome.message) == ("INTERNAL_ERROR", True)


def test_the_fields_of_our_bridge_count_before_the_text() -> None:
    frame = ToolError(
        id="1",
        error="[AUTH_REQUIRED] sign in — first — Open Notes",
        error_code="AUTH_REQUIRED",
        resolution_hint="Open Notes",
        authorize_intent="com.example.notes.AUTHORIZE",
    )
    assert outcome_of(frame) == Refused("AUTH_REQUIRED", "sign in — first", "Open Notes", "com.example.notes.AUTHORIZE")


def test_a_hint_that_holds_a_dash_is_not_cut() -> None:
    frame = ToolError(error="[A] message — hint — more", error_code="A", resolution_hint="hint — more")
    assert outcome_of(frame) == Refused("A", "message", "hint — more")


def test_fields_without_a_text_are_enough() -> None:
    outcome = outcome_of(ToolError(error_code="PERMISSION_DENIED", resolution_hint="ask"))
    assert isinstance(outcome, Refused)
    assert (outcome.code, outcome.hint) == ("PERMISSION_DENIED", "ask")
    assert outcome.message


def test_another_code_in_the_text_stays_part_of_the_message() -> None:
    assert outcome_of(ToolError(error="[B] x", error_code="A")) == Refused("A", "[B] x")


def test_a_code_that_is_none_is_not_taken() -> None:
    assert outcome_of(ToolError(error="[A] x", error_code="not a code")) == Refused("A", "x")
