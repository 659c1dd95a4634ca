"""Asks the person at a terminal what a model of their conversation wants to know (spec 13.4, `cetp.questions`).

Above: chat. Knows no socket: frames in, answers out.
"""

from collections.abc import Callable, Mapping
from typing import Any

from cetp_gateway.cli.turn_printer import TurnPrinter, printable

Frame = dict[str, Any]


class QuestionPrompt:
    """Takes every frame of a conversation.

    Args:
        printer: shows questions and remarks.
        ask: reads a line, as `input` does.
    """

    def __init__(self, printer: TurnPrinter, ask: Callable[[str], str] = input) -> None:
        self._printer = printer
        self._ask = ask
        self._session_id = ""

    def take(self, frame: Mapping[str, Any]) -> Frame | None:
        """The answer to a question of this conversation's own. EOFError, KeyboardInterrupt: the person left."""
        match frame["type"]:
            case "session_start":
                self._session_id = frame["session_id"]
            case "ask_user_request" if frame.get("session_id") == self._session_id:
                return self._reply(frame)
            case "ask_user_ack" if frame["status"] == "not_pending":
                self._printer.note("(Too late: nobody waits for the answer any more.)")
            case "ask_user_closed" if frame["status"] == "expired":
                self._printer.note("(The question was not answered in time.)")
        return None

    def _reply(self, frame: Mapping[str, Any]) -> Frame:
        labels = [option["label"] for option in frame.get("options", ())]
        self._printer.note(describe_question(frame["question"], labels))
        said = self._ask(f"Your answer{_how(labels, frame)}: ").strip()
        while said and not (answer := _fitting(said, labels, frame)):
            said = self._ask(f"One of 1 to {len(labels)}, or Enter to leave it open: ").strip()
        reply: Frame = {"type": "ask_user_response", "request_id": frame["request_id"]}
        return reply | ({"status": "answered", "answer": answer} if said else {"status": "declined"})


def describe_question(question: str, choices: list[str]) -> str:
    """The question and what may be chosen. Whoever wrote it cannot steer the terminal."""
    lines = [question, *(f"  {number}. {choice}" for number, choice in enumerate(choices, start=1))]
    return printable("\n".join(lines))


def _how(labels: list[str], frame: Mapping[str, Any]) -> str:
    if not labels:
        return " (Enter: none)"
    return f" (1 to {len(labels)}{', or in words' if frame.get('other_answers') else ''}; Enter: none)"


def _fitting(said: str, labels: list[str], frame: Mapping[str, Any]) -> str:
    """The choice or words that an input stands for; empty when it is neither."""
    if said.isdigit() and 1 <= int(said) <= len(labels):
        return labels[int(said) - 1]
    return said if not labels or said in labels or frame.get("other_answers") else ""
