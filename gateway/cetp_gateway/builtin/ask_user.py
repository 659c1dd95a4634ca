"""The tool that asks the person. Their answer is its result, in their own words and so under no mark of a stranger's.

It changes nothing and tells nobody else anything, so it counts as reading and works with any autonomy. Above:
`all_tools`. Below: whoever implements `AsksPerson`.
"""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Final, Literal, Protocol

import msgspec
from msgspec import Meta

from cetp_gateway.api import CallContext, Effect
from cetp_gateway.builtin.builtin_tool import BuiltinTool, NotPossible
from cetp_gateway.builtin.declared import Asked, Declared

_SPARE_S: Final = 1.0
"""Left of the call's time, so that the model hears why there is no answer."""


class PersonsReply(msgspec.Struct, frozen=True):
    """What came of a question."""

    end: Literal["answered", "declined", "expired", "cancelled"]
    text: str = ""


class AsksPerson(Protocol):
    """Gets an answer from a person, and from nobody else."""

    async def ask(
        self, text: str, context: CallContext, *, choices: Sequence[str], only_choices: bool, within_s: float
    ) -> PersonsReply | None:
        """Put the question and wait so long at most; None when nobody is there to be asked."""
        ...


class QuestionAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question with, or without, answers to choose from."""

    question: Annotated[
        str, Meta(min_length=1, max_length=2000, pattern=r"\S", description="The question, in the person's language.")
    ]
    choices: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=200, pattern=r"\S")], ...],
        Meta(max_length=10, description="Answers to choose from; leave out for one in words."),
    ] = ()
    only_choices: Annotated[bool, Meta(description="Take no other answer than one of the choices.")] = False


class AskUser(BuiltinTool[QuestionAsked]):
    """Waits for a person, longer than other tools may.

    Args:
        person: gets the answer.
        timeout_s: longest wait, unless the caller has said how long it waits itself.
    """

    declared = Declared(
        QuestionAsked,
        name="ask_user",
        effect=Effect.READS,
        description=(
            "Asks the person a question and waits for the answer. Use it when you cannot go on without knowing what "
            "they want; ask one thing at a time. What you can find out yourself, do not ask."
        ),
    )

    def __init__(self, person: AsksPerson, *, timeout_s: float) -> None:
        self._person = person
        self._timeout_s = timeout_s
        self.patience_s = timeout_s + _SPARE_S
        """See api.PatientTool."""

    async def run(self, asked: QuestionAsked, context: CallContext) -> str:
        left_s = context.deadline - asyncio.get_running_loop().time()
        within_s = max(0.0, min(self._timeout_s, max(left_s - _SPARE_S, left_s / 2)))
        choices = tuple(dict.fromkeys(choice.strip() for choice in asked.choices))
        reply = await self._person.ask(
            asked.question, context, choices=choices, only_choices=asked.only_choices, within_s=within_s
        )
        if reply is None:
            raise NotPossible(
                "Nobody can be asked right now: no app that shows questions is connected.",
                code="NOBODY_THERE",
                hint="Do not try again. End your turn with the question as your answer; the person replies to that.",
            )
        match reply.end:
            case "answered":
                return f"The person answered: {reply.text}"
            case "declined":
                return "The person was asked and does not want to answer. Go on without it, or end your turn."
            case "expired" | "cancelled":
                raise NotPossible(
                    f"The person has not answered within {within_s:.0f} s.",
                    code="NO_ANSWER",
                    hint="End your turn with the question as your answer; the person may reply later.",
                )
