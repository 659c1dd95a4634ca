"""The terminal asks what a model wants to know, about one's own conversation, and the person may leave it open."""

import io
from typing import Any

import pytest
from rich.console import Console

from cetp_gateway.cli.question_prompt import QuestionPrompt
from cetp_gateway.cli.turn_printer import TurnPrinter

START = {"type": "session_start", "session_id": "s"}
REQUEST = {
    "type": "ask_user_request",
    "request_id": "r1",
    "kind": "choice",
    "question": "Which colour? \x1b[2J",
    "options": [{"id": "1", "label": "blue"}, {"id": "2", "label": "green"}],
    "other_answers": False,
    "session_id": "s",
}


def asked(*said: str, frames: tuple[dict[str, Any], ...] = (START, REQUEST)) -> tuple[dict[str, Any] | None, str]:
    out, lines = io.StringIO(), iter(said)
    prompt = QuestionPrompt(TurnPrinter(Console(file=out, width=200)), ask=lambda _: next(lines))
    answers = [prompt.take(frame) for frame in frames]
    return answers[-1], out.getvalue()


@pytest.mark.parametrize(
    ("said", "answer"),
    [(["2"], "green"), (["blue"], "blue"), (["red", "9", "1"], "blue"), ([""], None), (["red", ""], None)],
)
def test_a_choice_is_taken_by_its_number_or_words_and_an_empty_line_declines(
    said: list[str], answer: str | None
) -> None:
    reply, shown = asked(*said)
    assert reply is not None
    assert (reply["request_id"], reply.get("answer")) == ("r1", answer)
    assert reply["status"] == ("answered" if answer else "declined")
    assert "2. green" in shown
    assert "\x1b[2J" not in shown


def test_other_words_are_taken_where_they_may_be() -> None:
    reply, _ = asked("a dark red", frames=(START, REQUEST | {"other_answers": True}))
    assert reply is not None
    assert reply["answer"] == "a dark red"


def test_questions_of_other_sessions_are_not_asked_here() -> None:
    assert asked(frames=(START, REQUEST | {"session_id": "other"}))[0] is None


@pytest.mark.parametrize(
    ("frame", "says"),
    [
        ({"type": "ask_user_ack", "request_id": "r1", "status": "not_pending"}, "Too late"),
        ({"type": "ask_user_closed", "request_id": "r1", "status": "expired"}, "not answered in time"),
    ],
)
def test_an_end_without_an_answer_is_told(frame: dict[str, Any], says: str) -> None:
    assert says in asked(frames=(START, frame))[1]
