"""May this call run? The questions of that kind that are open now: asked by calls, answered from outside.

Answers come through `answer` alone, which the server calls for a frame of a capable socket or a request with a good
token: nothing that a model, tool or user message says gets here. Above: `security_policy`, the server. Below:
`open_questions`, `approval_request`.
"""

import secrets
import time
from collections.abc import Sequence
from enum import StrEnum

import msgspec

from cetp_gateway.api import CallContext, ToolCall
from cetp_gateway.policy.approval_request import ApprovalEnd, ApprovalRequest, ApprovalScope, call_digest
from cetp_gateway.policy.open_questions import OpenQuestions


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


class Approvals(OpenQuestions[ApprovalRequest, Decision]):
    """All open questions of the gateway."""

    def __init__(self, *, timeout_s: float, most: int, approvers: Sequence[str]) -> None:
        super().__init__(most=most, expired=Decision(ApprovalEnd.EXPIRED), cancelled=Decision(ApprovalEnd.CANCELLED))
        self.use(timeout_s=timeout_s, most=most, approvers=approvers)
        self.nobody_because = ""
        """Why there is nobody who could be asked, as a clause; every question is then a no at once."""

    def use(self, *, timeout_s: float, most: int, approvers: Sequence[str]) -> None:
        """Take over other bounds and approvers; questions that are open keep their time."""
        self.timeout_s = timeout_s
        self._most = most
        self._approvers = frozenset(approvers)

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
        if self.nobody_because or not self._has_room:
            return Decision(ApprovalEnd.EXPIRED)
        wait_s = self.timeout_s if within_s is None else max(0.0, min(within_s, self.timeout_s))
        return await self._put(_request(call, context, reason, scopes, wait_s), wait_s)

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
        request = self.find(request_id)
        if request is None:
            return AnswerStatus.TOO_LATE if self.outcome(request_id) is not None else AnswerStatus.UNKNOWN
        if not self.may_decide(who):
            return AnswerStatus.NOT_ALLOWED
        if digest != request.digest:
            return AnswerStatus.MISMATCH
        if allow and scope not in request.scopes:
            return AnswerStatus.NOT_OFFERED
        end = ApprovalEnd.ALLOWED if allow else ApprovalEnd.DENIED
        self._settle(request_id, Decision(end, scope if allow else ApprovalScope.ONCE, by))
        return AnswerStatus.ACCEPTED


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
