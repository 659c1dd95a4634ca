"""`/api/approvals`: calls that wait for a person, the person's answer, and what was allowed for good.

Above: table. Below: policy.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from cetp_gateway.policy import AnswerStatus, ApprovalRequest, ApprovalScope
from cetp_gateway.policy.audit_entry import moment
from cetp_gateway.server.requests.errors import HttpError
from cetp_gateway.server.rest.routes import Asked, Parameter, Route, matching


class OpenApproval(msgspec.Struct, frozen=True, kw_only=True):
    """A call that waits; times are ISO 8601 with a zone."""

    id: str
    digest: str
    """Stands for the exact call; an answer repeats it."""
    tool: str
    arguments: dict[str, Any]
    effect: str
    reason: str
    device: str
    app: str
    caller: str
    client: str
    session_id: str
    scopes: list[ApprovalScope]
    created_at: datetime
    expires_at: datetime


class GrantRow(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that was allowed for a session, or, without one, for good."""

    id: str
    tool: str
    session_id: str
    granted_at: datetime
    granted_by: str


class ApprovalList(msgspec.Struct, frozen=True):
    """Everything that waits, oldest first, and everything that was allowed beyond one call."""

    open: list[OpenApproval]
    grants: list[GrantRow]


class ApprovalAnswer(msgspec.Struct, frozen=True):
    """A person's decision about exactly the call of this digest."""

    digest: Annotated[str, matching("[0-9a-f]{64}")]
    decision: Literal["allow", "deny"]
    scope: ApprovalScope = ApprovalScope.ONCE
    """Of an `allow`."""


class ApprovalTaken(msgspec.Struct, frozen=True):
    """The decision counts."""

    id: str
    decision: Literal["allow", "deny"]


class GrantRevoked(msgspec.Struct, frozen=True):
    """The tool will be asked about again."""

    revoked: bool
    id: str
    tool: str


_REFUSALS = {
    AnswerStatus.UNKNOWN: (404, "No call of this id waits; GET /api/approvals lists those that do."),
    AnswerStatus.MISMATCH: (409, "digest: it is that of another call than the one that waits. Look at the call again."),
    AnswerStatus.NOT_OFFERED: (400, "scope: the call does not offer it; see its `scopes`."),
    AnswerStatus.NOT_ALLOWED: (403, "This client may not decide about calls (policy.approvers)."),
}


async def show(asked: Asked[None]) -> ApprovalList:
    policy = asked.service.runtime.policy
    grants = [
        GrantRow(
            id=grant.id,
            tool=grant.tool,
            session_id=grant.session_id,
            granted_at=grant.granted_at,
            granted_by=grant.granted_by,
        )
        for grant in policy.grants.list()
    ]
    return ApprovalList([_row(request) for request in policy.approvals.open()], grants)


async def answer(asked: Asked[ApprovalAnswer]) -> ApprovalTaken:
    approvals, request_id, said = asked.service.runtime.policy.approvals, asked.parameters["id"], asked.body
    client = asked.caller.client
    status = approvals.answer(
        request_id,
        digest=said.digest,
        allow=said.decision == "allow",
        scope=said.scope,
        by=client or asked.address,
        who=client,
    )
    if status is AnswerStatus.TOO_LATE:
        ended = approvals.outcome(request_id)
        raise HttpError(409, f"Too late: the call is {ended.end.value if ended else 'closed'} already.")
    if status is not AnswerStatus.ACCEPTED:
        raise HttpError(*_REFUSALS[status])
    return ApprovalTaken(request_id, said.decision)


async def revoke(asked: Asked[None]) -> GrantRevoked:
    policy, grant_id = asked.service.runtime.policy, asked.parameters["id"]
    grant = await policy.grants.revoke(grant_id)
    if grant is None:
        raise HttpError(404, f"There is no grant {grant_id}; GET /api/approvals lists them.")
    policy.note("revoked", by=asked.caller.client, tool=grant.tool, session=grant.session_id, to=grant.id)
    return GrantRevoked(True, grant.id, grant.tool)


def _row(request: ApprovalRequest) -> OpenApproval:
    return OpenApproval(
        id=request.id,
        digest=request.digest,
        tool=request.tool,
        arguments=request.arguments,
        effect=request.effect.value,
        reason=request.reason,
        device=request.device,
        app=request.app,
        caller=request.caller,
        client=request.client,
        session_id=request.session_id,
        scopes=list(request.scopes),
        created_at=moment(request.created_at),
        expires_at=moment(request.expires_at),
    )


_ID = Parameter(name="id", where="path", type=Annotated[str, Meta(min_length=1, max_length=64)])

ROUTES = (
    Route(
        method="GET",
        path="/api/approvals",
        summary="Calls that wait for a person, and tools that were allowed for longer",
        handler=show,
        responses={200: ApprovalList},
    ),
    Route(
        method="POST",
        path="/api/approvals/{id}",
        summary="Decide about a call that waits",
        handler=answer,
        parameters=(_ID,),
        request=ApprovalAnswer,
        responses={200: ApprovalTaken},
        refusals=(403, 404, 409),
    ),
    Route(
        method="DELETE",
        path="/api/approvals/grants/{id}",
        summary="Take back what was allowed for longer than one call",
        handler=revoke,
        parameters=(_ID,),
        responses={200: GrantRevoked},
        refusals=(404, 503),
    ),
)
