"""Calls that a person has to decide about, on a socket whose client can ask one (spec 13.4, `cetp.approvals`).

Above: chat_socket. Below: person_frames, policy, devices.
"""

import time

from cetp_gateway.devices import Link, frames_out
from cetp_gateway.devices.capabilities import Capability
from cetp_gateway.devices.events import ApprovalAnswered
from cetp_gateway.policy import AnswerStatus, ApprovalRequest, Approvals, ApprovalScope, Decision
from cetp_gateway.server.chat.person_frames import PersonFrames


class ApprovalFrames:
    """One socket's questions.

    Args:
        approvals: of the gateway.
        link: the socket.
        client: by whose right it was opened; see `Approvals.may_decide`.
    """

    __slots__ = ("_approvals", "_client", "_frames", "_link")

    def __init__(self, approvals: Approvals, link: Link, client: str) -> None:
        self._approvals = approvals
        self._link = link
        self._client = client
        self._frames: PersonFrames[ApprovalRequest, Decision] | None = None

    def connected(self) -> None:
        """The client has said what it can do, perhaps not for the first time."""
        if self._frames is None:
            if Capability.APPROVALS not in self._link.capabilities or not self._approvals.may_decide(self._client):
                return
            self._frames = PersonFrames(
                self._link,
                Capability.APPROVALS,
                attend=self._approvals.subscribe,
                open_now=self._approvals.open,
                asked=request_frame,
                closed=closed_frame,
            )
        self._frames.connected()

    def answered(self, event: ApprovalAnswered) -> None:
        """The client's person has decided."""
        self._link.post(frames_out.approval_ack(event.id, self._take(event).value))

    def leave(self) -> None:
        """The socket has ended."""
        if self._frames is not None:
            self._frames.leave()

    def _take(self, event: ApprovalAnswered) -> AnswerStatus:
        try:
            scope = ApprovalScope(event.scope)
        except ValueError:
            return AnswerStatus.NOT_OFFERED
        return self._approvals.answer(
            event.id,
            digest=event.digest,
            allow=event.allow,
            scope=scope,
            by=self._client or self._link.label,
            who=self._client,
        )


def request_frame(request: ApprovalRequest) -> str:
    """The frame that shows a question."""
    return frames_out.approval_request(
        request.id,
        tool=request.tool,
        arguments=request.arguments,
        expires_in_ms=round((request.expires_at - time.time()) * 1000),
        digest=request.digest,
        effect=request.effect.value,
        reason=request.reason,
        caller=request.caller,
        device=request.device,
        app=request.app,
        session_id=request.session_id,
        scopes=[scope.value for scope in request.scopes],
    )


def closed_frame(request: ApprovalRequest, decision: Decision) -> str:
    """The frame that says that a question is closed."""
    return frames_out.approval_closed(request.id, decision.end.value, decision.by)
