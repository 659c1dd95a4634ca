"""A model's questions to the person, on a socket whose client can ask one (spec 13.4, `cetp.questions`).

The frames are those of newer ClawSeed gateways. Above: chat_socket. Below: person_frames, policy, devices.
"""

import time
from functools import partial

from cetp_gateway.devices import Link, frames_out
from cetp_gateway.devices.capabilities import Capability
from cetp_gateway.devices.events import QuestionAnswered
from cetp_gateway.policy import Question, Questions, Reply, ReplyStatus
from cetp_gateway.server.chat.person_frames import PersonFrames
from cetp_gateway.server.requests.uncounted_answers import REFUSALS


class QuestionFrames:
    """One socket's questions.

    Args:
        questions: of the gateway.
        link: the socket.
        client: by whose right it was opened; see `Questions.may_answer`.
    """

    __slots__ = ("_client", "_frames", "_link", "_questions")

    def __init__(self, questions: Questions, link: Link, client: str) -> None:
        self._questions = questions
        self._link = link
        self._client = client
        self._frames: PersonFrames[Question, Reply] | None = None

    def connected(self) -> None:
        """The client has said what it can do, perhaps not for the first time."""
        if self._frames is None:
            if Capability.QUESTIONS not in self._link.capabilities:
                return
            self._frames = PersonFrames(
                self._link,
                Capability.QUESTIONS,
                attend=partial(self._questions.attend, self._client),
                open_now=partial(self._questions.open_to, self._client),
                asked=request_frame,
                closed=closed_frame,
            )
        self._frames.connected()

    def answered(self, event: QuestionAnswered) -> None:
        """The client's person has answered or declined."""
        status = self._questions.answer(event.id, event.answer, by=self._client or self._link.label, who=self._client)
        self._link.post(ack_frame(event.id, status))

    def leave(self) -> None:
        """The socket has ended."""
        if self._frames is not None:
            self._frames.leave()


def request_frame(question: Question) -> str:
    """The frame that shows a question."""
    return frames_out.ask_user_request(
        question.id,
        question=question.text,
        choices=question.choices,
        only_choices=question.only_choices,
        expires_in_ms=round((question.expires_at - time.time()) * 1000),
        tool_call_id=question.call_id,
        session_id=question.session_id,
        caller=question.caller,
    )


def closed_frame(question: Question, reply: Reply) -> str:
    """The frame that says that a question is closed."""
    return frames_out.ask_user_closed(question.id, reply.end.value, reply.by)


def ack_frame(question_id: str, status: ReplyStatus) -> str:
    """What became of an answer, in ClawSeed's words."""
    if status is ReplyStatus.ACCEPTED:
        return frames_out.ask_user_ack(question_id, "accepted")
    if status in REFUSALS:
        return frames_out.ask_user_ack(question_id, "rejected", REFUSALS[status])
    return frames_out.ask_user_ack(question_id, "not_pending")
