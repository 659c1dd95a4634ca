"""One client's conversation over its socket: its tools go to the registry, its messages become turns.

Above: chat_endpoint. Below: the link, which owns the socket; conversations, which own the turns.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from cetp_gateway.api import Emit, ToolView, TurnDone, TurnEvent
from cetp_gateway.assemble import Runtime
from cetp_gateway.devices import Link, LinkEnd, frames_out
from cetp_gateway.devices.calls import Answer
from cetp_gateway.devices.events import (
    Abort,
    ApprovalAnswered,
    Connected,
    Event,
    ListAsked,
    QuestionAnswered,
    Regenerate,
    ToolsOffered,
    ToolsWithdrawn,
    UserMessage,
)
from cetp_gateway.devices.socket import Socket
from cetp_gateway.errors import CetpError
from cetp_gateway.server.chat.approval_frames import ApprovalFrames
from cetp_gateway.server.chat.question_frames import QuestionFrames
from cetp_gateway.server.chat.registrations import Registrations
from cetp_gateway.server.chat.turn_frames import turn_frames
from cetp_gateway.server.door.auth import Caller
from cetp_gateway.sessions import Asker, OpenedSession

_log = logging.getLogger(__name__)

_NO_ATTACHMENTS = "This gateway cannot read files or images, so the message was not sent. Send its text alone."

Turn = Callable[[Callable[[], ToolView], Emit], Awaitable[TurnEvent]]
"""Asks or regenerates, given how to make the view and where its events go."""


class ChatSocket:
    """Made for an accepted socket; `run` once. `saw` is told the events of its turns, besides the client."""

    __slots__ = (
        "_approvals",
        "_client",
        "_link",
        "_owner",
        "_questions",
        "_registrations",
        "_runtime",
        "_saw",
        "_session",
        "_work",
    )

    def __init__(self, runtime: Runtime, socket: Socket, session: OpenedSession, *, caller: Caller, saw: Emit) -> None:
        self._runtime = runtime
        self._saw = saw
        self._session = session
        self._client = caller.client
        number = secrets.token_hex(4)
        self._link = Link(
            socket,
            self,
            runtime.settings.limits,
            host_id=f"socket/{number}",
            label=number,
            session_id=session.id,
            owner=caller.device_id,
            turnstile=runtime.devices.turnstile,
            flushes=runtime.devices.flushes,
        )
        self._approvals = ApprovalFrames(runtime.policy.approvals, self._link, self._client)
        self._questions = QuestionFrames(runtime.policy.questions, self._link, self._client)
        self._registrations = Registrations(self._link, runtime.registry)
        self._work: dict[asyncio.Task[None], bool] = {}
        """What runs for this client; true for its turns."""
        self._owner: asyncio.TaskGroup | None = None

    async def run(self, *, trouble: CetpError | None = None) -> LinkEnd:
        """Serve the socket until it ends; then its tools are gone and its turns are stopped, but for a turn that waits
        for a person, who may decide elsewhere or after a reconnect. `trouble` is told to the client right after the
        greeting.
        """
        admitted = self._runtime.devices.add(self._link)
        try:
            async with asyncio.TaskGroup() as self._owner:
                if admitted:
                    self._greet()
                if trouble is not None:
                    self._link.post(frames_out.error(trouble.message, trouble.code))
                end = await self._link.run()
                self._leave()
                waits = self._runtime.policy.waits_for_person(self._session.id)
                for task, is_turn in self._work.items():
                    if not (is_turn and waits):
                        task.cancel()
        finally:
            self._leave()
        return end

    def _leave(self) -> None:
        self._approvals.leave()
        self._questions.leave()
        self._runtime.devices.remove(self._link)
        if self._link.owner:
            silent_s = max(0.0, asyncio.get_running_loop().time() - self._link.heard_at)
            self._runtime.paired.touch(self._link.owner, silent_s=silent_s)
        self._runtime.registry.withdraw(self._link)

    def _greet(self) -> None:
        session = self._session
        self._link.post(
            frames_out.session_start(
                session.id,
                resumed=session.resumed,
                message_count=session.message_count,
                name=session.name,
                persona=session.persona,
            )
        )

    def on_event(self, event: Event[Answer]) -> None:
        """Act on what the client says; called by the link, in order."""
        match event:
            case ToolsOffered():
                self._start(self._registrations.offer(event))
            case ToolsWithdrawn():
                self._start(self._registrations.withdraw(event))
            case ListAsked():
                self._start(self._registrations.show())
            case UserMessage(attachments=True):
                self._link.post(frames_out.error(_NO_ATTACHMENTS, "IMAGE_MODEL_UNSUPPORTED"))
            case UserMessage():
                self._start(self._turn(self._asking(event)), is_turn=True)
            case Regenerate():
                self._start(self._turn(self._regenerating(event)), is_turn=True)
            case Abort():
                stopped = self._runtime.conversations.abort(self._session.id)
                self._link.post(frames_out.abort_ack(stopped=stopped))
            case Connected():
                self._runtime.devices.identified(self._link)
                self._approvals.connected()
                self._questions.connected()
            case ApprovalAnswered():
                self._approvals.answered(event)
            case QuestionAnswered():
                self._questions.answered(event)

    def _start(self, work: Coroutine[Any, Any, None], *, is_turn: bool = False) -> None:
        assert self._owner is not None, "events come only while the link runs"  # noqa: S101
        task = self._owner.create_task(work)
        self._work[task] = is_turn
        task.add_done_callback(self._work.pop)

    def _asking(self, event: UserMessage) -> Turn:
        async def turn(view: Callable[[], ToolView], emit: Emit) -> TurnEvent:
            return await self._runtime.conversations.ask(
                self._session.id, event.text, view=view, emit=emit, debug=event.debug, asker=self._asker()
            )

        return turn

    def _regenerating(self, event: Regenerate) -> Turn:
        async def turn(view: Callable[[], ToolView], emit: Emit) -> TurnEvent:
            return await self._runtime.conversations.regenerate(
                self._session.id, view=view, emit=emit, debug=event.debug, asker=self._asker()
            )

        return turn

    def _asker(self) -> Asker:
        return Asker("agent", self._client)

    async def _turn(self, turn: Turn) -> None:
        """Run a turn and show it; every failure becomes an error frame and the socket lives on."""
        await self._registrations.settled()
        try:
            closing = await turn(lambda: self._runtime.registry.view(self._link), self._show)
            if isinstance(closing, TurnDone):
                await self._name_session()
        except CetpError as error:
            self._post(frames_out.error(error.message, error.code))
        except Exception:  # noqa: BLE001  (one broken turn must not end its socket)
            _log.exception("a turn of session %s could not be run", self._session.id)
            self._post(frames_out.error("The gateway failed; its log says where.", "AGENT_ERROR"))

    async def _name_session(self) -> None:
        title = await self._runtime.titles.after_turn(self._session.id)
        if title is not None:
            self._runtime.devices.post_to_session(self._session.id, frames_out.title_updated(title))

    def _show(self, event: TurnEvent) -> None:
        self._saw(event)
        for frame in turn_frames(event):
            self._post(frame)

    def _post(self, frame: str) -> None:
        """To the client; when its socket has ended before the turn, to those who are in the session now."""
        if self._link.ended:
            self._runtime.devices.post_to_session(self._session.id, frame)
        else:
            self._link.post(frame)
