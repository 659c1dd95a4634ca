"""Questions to a person that are open now: asked by calls, answered from outside, closed exactly once.

A waiting call is a future and a timer; nothing else is held meanwhile. Answers come through `answer` alone, which the
server calls for a frame of a capable socket or a request with a good token: nothing that a model, tool or user message
says gets here. Above: `security_policy`, the server. Below: `approval_request`.
"""

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final

import msgspec

from cetp_gateway.api import CallContext, ToolCall
from cetp_gateway.policy.approval_request import ApprovalEnd, ApprovalRequest, ApprovalScope, call_digest

REMEMBERED: Final = 256
"""Closed questions whose late answers are told what came of them."""

_log = logging.getLogger(__name__)


class Decision(msgspec.Struct, frozen=True):
    """What came of a question."""

    end: ApprovalEnd
    scope: ApprovalScope = ApprovalScope.ONCE
    by: str = ""
    """Who answered; empty when nobody did."""


class AnswerStatus(StrEnum):
    """What became of an answer."""

    ACCEPTED = "accepted"
    TOO_LATE = "too_late"
    """The question was closed before."""
    UNKNOWN = "unknown"
    """There is no such question."""
    MISMATCH = "mismatch"
    """The digest is not that of the question: something else was shown than is asked."""
    NOT_OFFERED = "not_offered"
    """The question does not offer this scope."""
    NOT_ALLOWED = "not_allowed"
    """This client may not decide (policy.approvers)."""


class _Open:
    __slots__ = ("answered", "request")

    def __init__(self, request: ApprovalRequest, answered: "asyncio.Future[Decision]") -> None:
        self.request = request
        self.answered = answered


Listener = Callable[[ApprovalRequest, Decision | None], None]
"""Told of each question when it opens (None) and when it is closed."""


class Approvals:
    """All open questions of the gateway."""

    def __init__(self, *, timeout_s: float, most: int, approvers: Sequence[str]) -> None:
        self.use(timeout_s=timeout_s, most=most, approvers=approvers)
        self._open: dict[str, _Open] = {}
        self._closed: OrderedDict[str, Decision] = OrderedDict()
        self._listeners: dict[object, Listener] = {}
        self._ended = False

    def use(self, *, timeout_s: float, most: int, approvers: Sequence[str]) -> None:
        """Take over other bounds and approvers; questions that are open keep their time."""
        self.timeout_s = timeout_s
        self._most = most
        self._approvers = frozenset(approvers)

    def open(self) -> list[ApprovalRequest]:
        """The open questions, oldest first."""
        return [waiting.request for waiting in self._open.values()]

    def is_waiting(self, session_id: str) -> bool:
        """Does a call of this session wait for a person?"""
        return any(waiting.request.session_id == session_id for waiting in self._open.values())

    def find(self, request_id: str) -> ApprovalRequest | None:
        """An open question."""
        waiting = self._open.get(request_id)
        return waiting.request if waiting is not None else None

    def outcome(self, request_id: str) -> Decision | None:
        """What came of a question that was closed not long ago."""
        return self._closed.get(request_id)

    def may_decide(self, who: str) -> bool:
        """Whether this client (a paired device's id, `local`, or empty without pairing) may answer."""
        return not self._approvers or who in self._approvers

    async def ask(
        self,
        call: ToolCall,
        context: CallContext,
        *,
        reason: str,
        scopes: tuple[ApprovalScope, ...],
        within_s: float | None = None,
    ) -> Decision:
        """Put a question and wait for its end, `policy.approval_timeout_s` at most, or `within_s` when that is less.

        Raises:
            asyncio.CancelledError: the caller was cancelled; the question is closed as cancelled.
        """
        if self._ended or len(self._open) >= self._most:
            return Decision(ApprovalEnd.EXPIRED)
        wait_s = self.timeout_s if within_s is None else max(0.0, min(within_s, self.timeout_s))
        loop = asyncio.get_running_loop()
        waiting = _Open(_request(call, context, reason, scopes, wait_s), loop.create_future())
        timer = loop.call_later(wait_s, self._settle, waiting, Decision(ApprovalEnd.EXPIRED))
        self._open[waiting.request.id] = waiting
        self._tell(waiting.request, None)
        try:
            return await waiting.answered
        finally:
            timer.cancel()
            self._settle(waiting, Decision(ApprovalEnd.CANCELLED))

    def answer(
        self, request_id: str, *, digest: str, allow: bool, scope: ApprovalScope = ApprovalScope.ONCE, by: str, who: str
    ) -> AnswerStatus:
        """Take a person's answer; the first that fits counts.

        Args:
            request_id: of the question.
            digest: the question's own, repeated.
            allow: yes or no.
            scope: of a yes.
            by: as the audit trail and other screens shall name the answerer.
            who: the answerer's client id, see `may_decide`.
        """
        waiting = self._open.get(request_id)
        if waiting is None:
            return AnswerStatus.TOO_LATE if request_id in self._closed else AnswerStatus.UNKNOWN
        if not self.may_decide(who):
            return AnswerStatus.NOT_ALLOWED
        if digest != waiting.request.digest:
            return AnswerStatus.MISMATCH
        if allow and scope not in waiting.request.scopes:
            return AnswerStatus.NOT_OFFERED
        end = ApprovalEnd.ALLOWED if allow else ApprovalEnd.DENIED
        self._settle(waiting, Decision(end, scope if allow else ApprovalScope.ONCE, by))
        return AnswerStatus.ACCEPTED

    def close(self) -> None:
        """The gateway ends: all open questions are, and no new one is put."""
        self._ended = True
        for waiting in list(self._open.values()):
            self._settle(waiting, Decision(ApprovalEnd.CANCELLED))

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Tell `listener` of every question until the returned function is called. It must not block."""
        key = object()
        self._listeners[key] = listener

        def unsubscribe() -> None:
            self._listeners.pop(key, None)

        return unsubscribe

    def _settle(self, waiting: _Open, decision: Decision) -> None:
        """Close a question, unless it is closed: the one place where that happens."""
        if self._open.pop(waiting.request.id, None) is None:
            return
        self._closed[waiting.request.id] = decision
        if len(self._closed) > REMEMBERED:
            self._closed.popitem(last=False)
        if not waiting.answered.done():
            waiting.answered.set_result(decision)
        self._tell(waiting.request, decision)

    def _tell(self, request: ApprovalRequest, decision: Decision | None) -> None:
        for listener in list(self._listeners.values()):
            try:
                listener(request, decision)
            except Exception:  # noqa: BLE001  (one socket's fault must not keep others from being asked)
                _log.exception("a listener for approvals failed")


def _request(
    call: ToolCall, context: CallContext, reason: str, scopes: tuple[ApprovalScope, ...], wait_s: float
) -> ApprovalRequest:
    origin, now = call.tool.origin, time.time()
    return ApprovalRequest(
        id=secrets.token_hex(8),
        digest=call_digest(call, context),
        tool=call.tool.name,
        arguments=call.arguments,
        effect=call.tool.effect,
        device=origin.device if origin else "",
        app=origin.app if origin else "",
        reason=reason,
        caller=context.caller,
        client=context.client,
        session_id=context.session_id,
        scopes=scopes,
        created_at=now,
        expires_at=now + wait_s,
    )
