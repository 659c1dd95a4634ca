"""The terminal's question about a call: shown in full, asked about one's own conversation, answered by the person."""

import io
from typing import Any

import pytest
from rich.console import Console

from cetp_gateway.cli.approval_prompt import ApprovalPrompt
from cetp_gateway.cli.turn_printer import TurnPrinter

START = {"type": "session_start", "session_id": "s"}
REQUEST = {
    "type": "approval_request",
    "id": "a1",
    "digest": "9f",
    "tool": "notes__add",
    "args": {"text": "milk \x1b[2J"},
    "effect": "writes",
    "session_id": "s",
    "scopes": ["once", "session"],
    "expires_in_ms": 1000,
}


def asked(said: str, *frames: dict[str, Any]) -> tuple[dict[str, Any] | None, str]:
    out = io.StringIO()
    prompt = ApprovalPrompt(TurnPrinter(Console(file=out, width=200)), ask=lambda _: said)
    answers = [prompt.take(frame) for frame in frames]
    return answers[-1], out.getvalue()


@pytest.mark.parametrize(
    ("said", "decision", "scope"),
    [
        ("y", "allow", "once"),
        (" S ", "allow", "session"),
        ("a", "deny", None),
        ("", "deny", None),
        ("n", "deny", None),
        ("maybe", "deny", None),
    ],
)
def test_only_a_yes_that_is_offered_is_a_yes(said: str, decision: str, scope: str | None) -> None:
    answer, shown = asked(said, START, REQUEST)
    assert answer is not None
    assert (answer["id"], answer["digest"], answer["decision"], answer.get("scope")) == ("a1", "9f", decision, scope)
    assert "notes__add (writes)" in shown
    assert "milk" in shown
    assert "\x1b[2J" not in shown


def test_calls_of_other_sessions_are_not_asked_about_here() -> None:
    assert asked("y", START, REQUEST | {"session_id": "other"})[0] is None


def test_an_answer_that_came_too_late_is_told() -> None:
    assert "Too late" in asked("y", START, {"type": "approval_ack", "id": "a1", "status": "too_late"})[1]
