"""A stored turn, read in two ways: as messages for a model and as rows for a client."""

from datetime import datetime
from typing import Any

import msgspec

from cetp_gateway.api import AssistantMessage, Message, Step, ToolResults, TurnStatus, UserMessage

INTERRUPTED = "[interrupted by user]"
"""Ends the text of an answer that was stopped; existing clients know the words."""


class StoredTurn(msgspec.Struct, frozen=True, kw_only=True):
    """One turn as the database holds it."""

    session_id: str
    number: int
    """From 1 within the session."""
    user_text: str
    sent_at: datetime
    status: TurnStatus
    text: str = ""
    """What the user saw of the answer, all steps joined."""
    steps: tuple[Step, ...] = ()

    @property
    def question(self) -> UserMessage:
        """The user's words behind the local time they were sent, which is how the model knows what "today" is."""
        return UserMessage(f"[{self.sent_at.astimezone():%Y-%m-%d %H:%M:%S %Z}] {self.user_text}")

    @property
    def shown(self) -> str:
        """The answer for people: with a mark when it was cut short."""
        if self.status is TurnStatus.ABORTED:
            return f"{self.text}\n{INTERRUPTED}".strip()
        return self.text


def as_messages(turn: StoredTurn) -> list[Message]:
    """The turn for a model. Calls stand with their results; a stopped answer says that it was stopped."""
    messages: list[Message] = [turn.question]
    for step in turn.steps:
        messages.append(step.message)
        if step.message.calls:
            messages.append(ToolResults(step.results))
    if turn.status is TurnStatus.ABORTED:
        said = "".join(step.message.text for step in turn.steps)
        messages.append(AssistantMessage(f"{turn.text.removeprefix(said)}\n{INTERRUPTED}".strip()))
    return messages


def as_rows(turn: StoredTurn) -> list[dict[str, Any]]:
    """The turn for a client: a row for the question and, once there is one, a row for the answer."""
    at = turn.sent_at.isoformat()
    rows: list[dict[str, Any]] = [{"role": "user", "content": turn.user_text, "created_at": at}]
    if turn.shown or turn.steps:
        rows.append({"role": "assistant", "content": turn.shown, "status": turn.status, "tool_calls": _calls(turn)})
    return rows


def _calls(turn: StoredTurn) -> list[dict[str, Any]]:
    return [
        {"id": call.id, "name": call.name, "args": call.arguments, "output": result.text, "is_error": result.is_error}
        for step in turn.steps
        for call, result in zip(step.message.calls, step.results, strict=True)
    ]
