"""Questions of a model's own to the person, as opposed to approvals: any answer in words, or one of a few choices.

An answer becomes the result of the call that asked. It comes through `answer` alone, as those of approvals do, so
nothing that a model writes can give it. Whoever may decide about calls may answer, and besides them the client whose
turn it is: they are the one who is asked. Above: `assemble`, the server. Below: `open_questions`.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final

import msgspec

from cetp_gateway.api import CallContext
from cetp_gateway.policy.open_questions import Listener, OpenQuestions

ANSWER_CHARS: Final = 8000
LOOKED_S: Final = 60.0
"""Somebody who has looked at the questions by REST so lately counts as being there."""


class QuestionEnd(StrEnum):
    """What came of a question."""

    ANSWERED = "answered"
    DECLINED = "declined"
    """The person does not want to answer."""
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    """Nobody waits for the answer any more."""


class Reply(msgspec.Struct, frozen=True):
    """The end of a question."""

    end: QuestionEnd
    text: str = ""
    by: str = ""
    """Who answered; empty when nobody did."""


class ReplyStatus(StrEnum):
    """What became of an answer."""

    ACCEPTED = "accepted"
    TOO_LATE = "too_late"
    """The question was closed before."""
    UNKNOWN = "unknown"
    """There is no such question."""
    NOT_A_CHOICE = "not_a_choice"
    """The question takes its choices alone."""
    UNFIT = "unfit"
    """The answer is empty or too long."""
    NOT_ALLOWED = "not_allowed"
    """This client may not answer (policy.approvers), nor is it the one who is asked."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown to whoever may answer."""

    id: str
    text: str
    """A model's words: shown as text, never acted upon."""
    choices: tuple[str, ...]
    only_choices: bool
    """No other answer is taken."""
    call_id: str
    caller: str
    client: str
    session_id: str
    created_at: float
    """Seconds since the epoch."""
    expires_at: float


class Questions(OpenQuestions[Question, Reply]):
    """All open questions of models."""

    def __init__(self, *, most: int, approvers: Sequence[str]) -> None:
        super().__init__(most=most, expired=Reply(QuestionEnd.EXPIRED), cancelled=Reply(QuestionEnd.CANCELLED))
        self.use(most=most, approvers=approvers)
        self._there: dict[object, str] = {}
        self._looked: dict[str, float] = {}

    def use(self, *, most: int, approvers: Sequence[str]) -> None:
        """Take over another bound and other approvers; questions that are open stay."""
        self._most = most
        self._approvers = frozenset(approvers)

    def may_answer(self, who: str, client: str) -> bool:
        """Whether `who` may answer a question in a turn of `client`."""
        return not self._approvers or who in self._approvers or (who == client != "")

    def is_somebody_there(self, client: str) -> bool:
        """Whether anybody is known who could answer a question in a turn of this client."""
        since = asyncio.get_running_loop().time() - LOOKED_S
        lately = [who for who, at in self._looked.items() if at >= since]
        return any(self.may_answer(who, client) for who in (*self._there.values(), *lately))

    async def ask(
        self, text: str, context: CallContext, *, choices: Sequence[str], only_choices: bool, within_s: float
    ) -> Reply | None:
        """Put a question and wait for its end; None when nobody is there to be asked, or too many questions wait.

        Raises:
            asyncio.CancelledError: the caller was cancelled; the question is closed as cancelled.
        """
        if not (self._has_room and self.is_somebody_there(context.client)):
            return None
        now = time.time()
        question = Question(
            id=secrets.token_hex(8),
            text=text,
            choices=tuple(choices),
            only_choices=only_choices and bool(choices),
            call_id=context.call_id,
            caller=context.caller,
            client=context.client,
            session_id=context.session_id,
            created_at=now,
            expires_at=now + within_s,
        )
        return await self._put(question, within_s)

    def answer(self, question_id: str, text: str | None, *, by: str, who: str) -> ReplyStatus:
        """Take a person's answer; the first that fits counts.

        Args:
            question_id: of the question.
            text: in words, or a choice by its words or its number from 1; None declines.
            by: as other screens shall name the answerer.
            who: the answerer's client id, see `may_answer`.
        """
        question = self.find(question_id)
        if question is None:
            return ReplyStatus.UNKNOWN if self.outcome(question_id) is None else ReplyStatus.TOO_LATE
        if not self.may_answer(who, question.client):
            return ReplyStatus.NOT_ALLOWED
        if text is None:
            self._settle(question_id, Reply(QuestionEnd.DECLINED, by=by))
            return ReplyStatus.ACCEPTED
        chosen = _chosen(question, text.strip())
        if chosen is None and question.only_choices:
            return ReplyStatus.NOT_A_CHOICE
        if not text.strip() or len(text) > ANSWER_CHARS:
            return ReplyStatus.UNFIT
        self._settle(question_id, Reply(QuestionEnd.ANSWERED, chosen or text.strip(), by))
        return ReplyStatus.ACCEPTED

    def attend(self, who: str, listener: Listener[Question, Reply]) -> Callable[[], None]:
        """Somebody who can answer is there, until the returned function is called, and is told of the questions that
        are theirs.
        """

        def told(question: Question, reply: Reply | None) -> None:
            if self.may_answer(who, question.client):
                listener(question, reply)

        unsubscribe, key = self.subscribe(told), object()
        self._there[key] = who

        def leave() -> None:
            self._there.pop(key, None)
            unsubscribe()

        return leave

    def look(self, who: str) -> list[Question]:
        """The open questions that are theirs, oldest first, for somebody who asks for them from time to time."""
        self._looked[who] = asyncio.get_running_loop().time()
        return self.open_to(who)

    def open_to(self, who: str) -> list[Question]:
        """The open questions that they may answer, oldest first."""
        return [question for question in self.open() if self.may_answer(who, question.client)]


def _chosen(question: Question, text: str) -> str | None:
    """The choice that an answer stands for."""
    if text in question.choices:
        return text
    if text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= len(question.choices):
        return question.choices[int(text[:4]) - 1]
    return None
