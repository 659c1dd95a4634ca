"""`/api/sessions/{id}/autonomy`: how much the agent may do on its own in one session.

Above: table. Below: policy, sessions.
"""

from typing import Annotated

import msgspec

from cetp_gateway.api import Autonomy
from cetp_gateway.errors import UnknownSession
from cetp_gateway.server.requests.errors import HttpError
from cetp_gateway.server.rest.routes import Asked, Parameter, Route, matching
from cetp_gateway.server.rest.sessions import SESSION_ID


class SessionAutonomy(msgspec.Struct, frozen=True):
    """The session's own level; null leaves it to the gateway's and the client's."""

    autonomy: Autonomy | None


async def show(asked: Asked[None]) -> SessionAutonomy:
    return SessionAutonomy(asked.service.runtime.policy.levels.of_session(await _known(asked)))


async def write(asked: Asked[SessionAutonomy]) -> SessionAutonomy:
    policy, level, client = asked.service.runtime.policy, asked.body.autonomy, asked.caller.client
    session_id = await _known(asked)
    if not policy.approvals.may_decide(client):
        raise HttpError(403, "This client may not decide about what an agent does (policy.approvers).")
    await policy.levels.set(session_id, level)
    policy.note("autonomy", by=client, session=session_id, to=level.value if level else "default")
    return asked.body


async def _known(asked: Asked[None] | Asked[SessionAutonomy]) -> str:
    session_id: str = asked.parameters["id"]
    if not await asked.service.runtime.sessions.exists(session_id):
        raise UnknownSession(f"There is no session {session_id}.")
    return session_id


_ID = Parameter(name="id", where="path", type=Annotated[str, matching(SESSION_ID)], description="The session's id")

ROUTES = (
    Route(
        method="GET",
        path="/api/sessions/{id}/autonomy",
        summary="How much the agent may do on its own in this session",
        handler=show,
        parameters=(_ID,),
        responses={200: SessionAutonomy},
        refusals=(404, 503),
    ),
    Route(
        method="PUT",
        path="/api/sessions/{id}/autonomy",
        summary="Say how much the agent may do on its own in this session",
        handler=write,
        parameters=(_ID,),
        request=SessionAutonomy,
        responses={200: SessionAutonomy},
        refusals=(403, 404, 503),
    ),
)
