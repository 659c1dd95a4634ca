"""The person, as the tool that asks them knows them."""

from collections.abc import Sequence

from cetp_gateway.api import CallContext
from cetp_gateway.builtin.ask_user import PersonsReply
from cetp_gateway.policy import Questions


class PersonAtHand:
    """Implements builtin's AsksPerson."""

    def __init__(self, questions: Questions) -> None:
        self._questions = questions

    async def ask(
        self, text: str, context: CallContext, *, choices: Sequence[str], only_choices: bool, within_s: float
    ) -> PersonsReply | None:
        reply = await self._questions.ask(text, context, choices=choices, only_choices=only_choices, within_s=within_s)
        return PersonsReply(reply.end.value, reply.text) if reply is not None else None
