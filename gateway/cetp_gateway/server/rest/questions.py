"""`/api/questions`: what models ask the person, and the person's answers.

Whoever looks here from time to time counts as somebody who can be asked. Above: table. Below: policy.
"""

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from cetp_gateway.policy import Question, ReplyStatus
from cetp_gateway.policy.audit_entry import moment
from cetp_gateway.policy.questions import ANSWER_CHARS
from cetp_gateway.server.requests.errors import HttpError
from cetp_gateway.server.requests.uncounted_answers import REFUSALS
from cetp_gateway.server.rest.routes import NOT_BLANK, Asked, Parameter, Route


class OpenQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question that waits; times are ISO 8601 with a zone."""

    id: str
    question: str
    choices: list[str]
    only_choices: bool
    """No other answer is taken."""
    caller: str
    session_id: str
    created_at: datetime
    expires_at: datetime


class QuestionList(msgspec.Struct, frozen=True):
    """Everything that waits for this caller's answer, oldest first."""

    open: list[OpenQuestion]


class QuestionAnswer(msgspec.Struct, frozen=True):
    """A person's answer."""

    answer: Annotated[str, Meta(min_length=1, max_length=ANSWER_CHARS), NOT_BLANK] | None
    """In words, or one of the choices by its words or its number from 1; null when they do not want to answer."""


class AnswerTaken(msgspec.Struct, frozen=True):
    """The answer counts."""

    id: str
    status: str


async def show(asked: Asked[None]) -> QuestionList:
    questions = asked.service.runtime.policy.questions.look(asked.caller.client)
    return QuestionList([_row(question) for question in questions])


async def answer(asked: Asked[QuestionAnswer]) -> AnswerTaken:
    questions, question_id = asked.service.runtime.policy.questions, asked.parameters["id"]
    client, said = asked.caller.client, asked.body.answer
    status = questions.answer(question_id, said, by=client or asked.address, who=client)
    if status is ReplyStatus.UNKNOWN:
        raise HttpError(404, "No question of this id waits; GET /api/questions lists those that do.")
    if status is ReplyStatus.TOO_LATE:
        ended = questions.outcome(question_id)
        raise HttpError(409, f"Too late: the question is {ended.end.value if ended else 'closed'} already.")
    if status is not ReplyStatus.ACCEPTED:
        raise HttpError(403 if status is ReplyStatus.NOT_ALLOWED else 400, f"answer: {REFUSALS[status]}")
    return AnswerTaken(question_id, "declined" if said is None else "answered")


def _row(question: Question) -> OpenQuestion:
    return OpenQuestion(
        id=question.id,
        question=question.text,
        choices=list(question.choices),
        only_choices=question.only_choices,
        caller=question.caller,
        session_id=question.session_id,
        created_at=moment(question.created_at),
        expires_at=moment(question.expires_at),
    )


ROUTES = (
    Route(
        method="GET",
        path="/api/questions",
        summary="What models ask the person; whoever looks within a minute counts as being there",
        handler=show,
        responses={200: QuestionList},
    ),
    Route(
        method="POST",
        path="/api/questions/{id}",
        summary="Answer a question that waits",
        handler=answer,
        parameters=(Parameter(name="id", where="path", type=Annotated[str, Meta(min_length=1, max_length=64)]),),
        request=QuestionAnswer,
        responses={200: AnswerTaken},
        refusals=(403, 404, 409),
    ),
)
