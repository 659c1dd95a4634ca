"""The tools that look back: at other conversations, by the latest and by words.

The gateway has one owner and knows no private sessions: whoever may open one may list and read all (`/api/sessions`),
and so may the model that answers them. Answers of earlier turns may hold apps' words; they come as JSON, as data.
Above: `all_tools`. Below: whoever implements `PastSessions`.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Protocol

from msgspec import Meta

from cetp_gateway.api import CallContext, Effect
from cetp_gateway.builtin.builtin_tool import BuiltinTool, json_text
from cetp_gateway.builtin.declared import Asked, Declared


class PastSession(Protocol):
    """A conversation in short."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def last_activity(self) -> datetime: ...
    @property
    def turns(self) -> int: ...


class PastPassage(Protocol):
    """A turn in which all words of a query occur."""

    @property
    def session_id(self) -> str: ...
    @property
    def session_name(self) -> str: ...
    @property
    def at(self) -> datetime: ...
    @property
    def question(self) -> str: ...
    @property
    def excerpt(self) -> str: ...
    @property
    def in_question(self) -> bool: ...


class PastSessions(Protocol):
    """All that was said to the gateway."""

    async def latest(self, limit: int) -> Sequence[PastSession]:
        """The latest activity first."""
        ...

    async def search(self, query: str, *, limit: int) -> Sequence[PastPassage]:
        """Turns with every word of the query; none without a word."""
        ...


class SessionsListAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many."""

    limit: Annotated[int, Meta(ge=1, le=50, description="Conversations wanted.")] = 20


class SessionsList(BuiltinTool[SessionsListAsked]):
    """Conversations by their latest activity."""

    declared = Declared(
        SessionsListAsked,
        name="sessions_list",
        effect=Effect.READS,
        description="Lists the conversations with this assistant, the latest first: name, time and number of turns.",
    )

    def __init__(self, sessions: PastSessions) -> None:
        self._sessions = sessions

    async def run(self, asked: SessionsListAsked, context: CallContext) -> str:
        rows = [
            {
                "session": each.id,
                "name": each.name,
                "last_activity": each.last_activity.astimezone().isoformat(timespec="minutes"),
                "turns": each.turns,
                "this_one": each.id == context.session_id,
            }
            for each in await self._sessions.latest(asked.limit)
        ]
        return json_text({"sessions": rows})


class SessionsSearchAsked(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is looked for."""

    query: Annotated[
        str, Meta(min_length=1, max_length=200, pattern=r"\S", description="One to eight words that all occur.")
    ]
    limit: Annotated[int, Meta(ge=1, le=20, description="Passages wanted.")] = 8


class SessionsSearch(BuiltinTool[SessionsSearchAsked]):
    """Passages of earlier conversations."""

    declared = Declared(
        SessionsSearchAsked,
        name="sessions_search",
        effect=Effect.READS,
        description=(
            "Finds what was said in earlier conversations with this assistant: turns in which all words of the query "
            "occur, in the question or in the answer."
        ),
    )

    def __init__(self, sessions: PastSessions) -> None:
        self._sessions = sessions

    async def run(self, asked: SessionsSearchAsked, context: CallContext) -> str:  # noqa: ARG002
        found = await self._sessions.search(asked.query, limit=asked.limit)
        rows = [
            {
                "session": each.session_id,
                "name": each.session_name,
                "date": each.at.astimezone().isoformat(timespec="minutes"),
                "person": each.question,
                **({} if each.in_question and each.excerpt == each.question else {_side(each): each.excerpt}),
            }
            for each in found
        ]
        return json_text({"passages": rows})


def _side(passage: PastPassage) -> str:
    return "person_passage" if passage.in_question else "assistant_passage"
