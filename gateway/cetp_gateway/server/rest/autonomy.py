"""`/api/sessions/{id}/autonomy`: how much the agent may do on its own in one session.

Above: table. Below: policy, sessions.
"""

import msgspec

from cetp_gateway.api import Autonomy
from cetp_gateway.server.rest.one_session import ID, known_session, must_decide
from cetp_gateway.server.rest.routes import Asked, Route


class SessionAutonomy(msgspec.Struct, frozen=True):
    """The session's own level; null leaves it to the gateway's and the client's."""

    autonomy: Autonomy | None


async def show(asked: Asked[None]) -> SessionAutonomy:
    return SessionAutonomy(asked.service.runtime.policy.levels.of_session(await known_session(asked)))


async def write(asked: Asked[SessionAutonomy]) -> SessionAutonomy:
    policy, level, client = asked.service.runtime.policy, asked.body.autonomy, asked.caller.client
    session_id = await known_session(asked)
    must_decide(asked)
    await policy.levels.set(session_id, level)
    policy.note("autonomy", by=client, session=session_id, to=level.value if level else "default")
    return asked.body


ROUTES = (
    Route(
        method="GET",
        path="/api/sessions/{id}/autonomy",
        summary="How much the agent may do on its own in this session",
        handler=show,
        parameters=(ID,),
        responses={200: SessionAutonomy},
        refusals=(404, 503),
    ),
    Route(
        method="PUT",
        path="/api/sessions/{id}/autonomy",
        summary="Say how much the agent may do on its own in this session",
        handler=write,
        parameters=(ID,),
        request=SessionAutonomy,
        responses={200: SessionAutonomy},
        refusals=(403, 404, 503),
    ),
)
