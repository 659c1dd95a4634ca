"""A turn from question to stored answer: in line, abortable, always with exactly one closing event.

What answers is a function given from outside (the agent); this module knows when a turn may run, what is
kept of it whatever happens, and who may stop it.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import msgspec

from cetp_gateway.api import (
    Emit,
    Message,
    ToolView,
    TurnAborted,
    TurnDone,
    TurnEvent,
    TurnFailed,
    TurnRecord,
    TurnStatus,
    UserMessage,
)
from cetp_gateway.errors import CetpError, NoUserMessage
from cetp_gateway.sessions.asker import CHAT, Asker
from cetp_gateway.sessions.lines import Lines
from cetp_gateway.sessions.store import SessionStore
from cetp_gateway.sessions.transcript import StoredTurn, as_messages

_log = logging.getLogger(__name__)


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What the agent is asked."""

    session_id: str
    persona: str
    history: Sequence[Message]
    user: UserMessage
    tools: ToolView
    debug: bool
    asker: Asker = CHAT


Answer = Callable[[Question, TurnRecord, Emit], Awaitable[None]]
"""Fills the record and emits events up to the closing one; raises ModelFailed. `agent.run_turn` behind a job."""

View = Callable[[], ToolView]
"""Makes the view when the turn begins, so that tools registered while it waited are in it."""


class Conversations:
    """All turns of all sessions."""

    def __init__(self, store: SessionStore, lines: Lines, answer: Answer, *, max_history: int) -> None:
        self._store = store
        self._lines = lines
        self._answer = answer
        self._running: dict[str, asyncio.Timeout] = {}
        self.use(max_history=max_history)

    def use(self, *, max_history: int) -> None:
        """Take over another length of history, for turns that begin from now on."""
        # A turn has at least one message, so older turns than these are never sent to the model.
        self._latest = max_history + 1

    async def ask(
        self, session_id: str, text: str, *, view: View, emit: Emit, debug: bool = False, asker: Asker = CHAT
    ) -> TurnEvent:
        """Answer a user's message; returns the closing event, which was emitted as well.

        Raises:
            SessionBusy: the session's line is full or too slow; nothing was stored.
        """
        async with self._lines.place(session_id):
            earlier = await self._store.turns(session_id, latest=self._latest)
            turn = await self._store.begin(session_id, text, vouched=asker.vouched)
            return await self._run(turn, earlier, view, emit, debug=debug, asker=asker)

    async def regenerate(
        self, session_id: str, *, view: View, emit: Emit, debug: bool = False, asker: Asker = CHAT
    ) -> TurnEvent:
        """Answer the last question again. The old answer stays until a new one has something to say.

        Raises:
            SessionBusy: as for `ask`.
            NoUserMessage: the session has no question.
        """
        async with self._lines.place(session_id):
            turns = await self._store.turns(session_id, latest=self._latest)
            if not turns:
                raise NoUserMessage("This session has no message to answer again.")
            return await self._run(turns[-1], turns[:-1], view, emit, debug=debug, asker=asker)

    def abort(self, session_id: str) -> bool:
        """Stop the running turn; False when there is none."""
        scope = self._running.get(session_id)
        if scope is None or scope.expired():
            return False
        scope.reschedule(asyncio.get_running_loop().time())
        return True

    def running(self) -> tuple[str, ...]:
        """Sessions that have a turn running."""
        return tuple(self._running)

    def waiting(self) -> int:
        """Turns that stand in line behind another one."""
        return sum(length - 1 for length in self._lines.lengths().values())

    async def _run(
        self,
        turn: StoredTurn,
        earlier: Sequence[StoredTurn],
        view: View,
        emit: Emit,
        *,
        debug: bool,
        asker: Asker,
    ) -> TurnEvent:
        record = TurnRecord()
        status, closing = TurnStatus.ABORTED, None
        try:
            question = await self._question(turn, earlier, view, debug=debug, asker=asker)
            status, closing = await self._attempt(question, record, emit)
        finally:
            # Also when the asker is gone: what was said by then is kept.
            await self._keep(turn, status, record)
        emit(closing)
        return closing

    async def _question(
        self, turn: StoredTurn, earlier: Sequence[StoredTurn], view: View, *, debug: bool, asker: Asker
    ) -> Question:
        session = await self._store.open(turn.session_id)
        return Question(
            session_id=turn.session_id,
            persona=session.persona,
            history=[message for before in earlier for message in as_messages(before)],
            user=turn.question,
            tools=view(),
            debug=debug,
            asker=asker,
        )

    async def _attempt(self, question: Question, record: TurnRecord, emit: Emit) -> tuple[TurnStatus, TurnEvent]:
        started = asyncio.get_running_loop().time()
        try:
            async with self._abortable(question.session_id) as scope:
                await self._answer(question, record, emit)
        except CetpError as error:
            record.pieces.clear()
            return TurnStatus.FAILED, TurnFailed(error.code, error.message)
        except Exception as error:  # noqa: BLE001  (one broken turn must not end its socket)
            if isinstance(error, TimeoutError) and scope.expired():
                return TurnStatus.ABORTED, TurnAborted(record.text)
            _log.error("turn of session %s failed", question.session_id, exc_info=error)
            record.pieces.clear()
            return TurnStatus.FAILED, TurnFailed("AGENT_ERROR", "The agent failed; the gateway's log says where.")
        elapsed_ms = round((asyncio.get_running_loop().time() - started) * 1000)
        return TurnStatus.DONE, TurnDone(record.text, record.usage, elapsed_ms)

    @asynccontextmanager
    async def _abortable(self, session_id: str) -> AsyncIterator[asyncio.Timeout]:
        """A time limit without an end, which `abort` moves to now: it cancels the block and nothing else."""
        async with asyncio.timeout(None) as scope:
            self._running[session_id] = scope
            try:
                yield scope
            finally:
                del self._running[session_id]

    async def _keep(self, turn: StoredTurn, status: TurnStatus, record: TurnRecord) -> None:
        """Store the outcome, unless that would replace an earlier answer by nothing."""
        replaces_answer = turn.status is not TurnStatus.RUNNING and bool(turn.text)
        if replaces_answer and (status is TurnStatus.FAILED or not record.text):
            return
        await self._store.finish(turn, status, record)
