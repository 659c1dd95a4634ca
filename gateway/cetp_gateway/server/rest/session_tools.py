"""`/api/sessions/{id}/tools`: which of the gateway's tools one session may use. It can only narrow.

Above: table. Below: policy, sessions.
"""

from typing import Annotated

import msgspec

from cetp_gateway.api import ToolRules
from cetp_gateway.errors import UnknownSession
from cetp_gateway.server.requests.errors import HttpError
from cetp_gateway.server.rest.personas import Globs
from cetp_gateway.server.rest.routes import Asked, Parameter, Route, matching
from cetp_gateway.server.rest.sessions import SESSION_ID


class SessionRules(msgspec.Struct, frozen=True):
    """Globs of public names; `denied` wins. Without a word the session may use whatever the gateway offers."""

    allowed: Globs = ("*",)
    denied: Globs = ()


async def show(asked: Asked[None]) -> SessionRules:
    rules = asked.service.runtime.policy.tools.of(await _known(asked))
    return SessionRules(rules.allowed, rules.denied)


async def write(asked: Asked[SessionRules]) -> SessionRules:
    policy, rules, client = asked.service.runtime.policy, asked.body, asked.caller.client
    session_id = await _known(asked)
    if not policy.approvals.may_decide(client):
        raise HttpError(403, "This client may not decide about what an agent does (policy.approvers).")
    await policy.tools.set(session_id, ToolRules(allowed=rules.allowed, denied=rules.denied))
    said = f"allowed: {', '.join(rules.allowed) or 'none'}; denied: {', '.join(rules.denied) or 'none'}"
    policy.note("tools", by=client, session=session_id, to=said[:_NOTED_CHARS])
    return rules


_NOTED_CHARS = 500


async def _known(asked: Asked[None] | Asked[SessionRules]) -> str:
    session_id: str = asked.parameters["id"]
    if not await asked.service.runtime.sessions.exists(session_id):
        raise UnknownSession(f"There is no session {session_id}.")
    return session_id


_ID = Parameter(name="id", where="path", type=Annotated[str, matching(SESSION_ID)], description="The session's id")

ROUTES = (
    Route(
        method="GET",
        path="/api/sessions/{id}/tools",
        summary="Which tools this session may use",
        handler=show,
        parameters=(_ID,),
        responses={200: SessionRules},
        refusals=(404, 503),
    ),
    Route(
        method="PUT",
        path="/api/sessions/{id}/tools",
        summary="Say which of the gateway's tools this session may use; holds for running turns too",
        handler=write,
        parameters=(_ID,),
        request=SessionRules,
        responses={200: SessionRules},
        refusals=(403, 404, 503),
    ),
)
