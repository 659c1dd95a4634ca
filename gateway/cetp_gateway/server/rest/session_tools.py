"""`/api/sessions/{id}/tools`: which of the gateway's tools one session may use. It can only narrow.

Above: table. Below: policy, sessions.
"""

import msgspec

from cetp_gateway.api import ToolRules
from cetp_gateway.server.rest.one_session import ID, known_session, must_decide
from cetp_gateway.server.rest.personas import Globs
from cetp_gateway.server.rest.routes import Asked, Route


class SessionRules(msgspec.Struct, frozen=True):
    """Globs of public names; `denied` wins. Without a word the session may use whatever the gateway offers."""

    allowed: Globs = ("*",)
    denied: Globs = ()


async def show(asked: Asked[None]) -> SessionRules:
    rules = asked.service.runtime.policy.tools.of(await known_session(asked))
    return SessionRules(rules.allowed, rules.denied)


async def write(asked: Asked[SessionRules]) -> SessionRules:
    policy, rules, client = asked.service.runtime.policy, asked.body, asked.caller.client
    session_id = await known_session(asked)
    must_decide(asked)
    await policy.tools.set(session_id, ToolRules(allowed=rules.allowed, denied=rules.denied))
    said = f"allowed: {', '.join(rules.allowed) or 'none'}; denied: {', '.join(rules.denied) or 'none'}"
    policy.note("tools", by=client, session=session_id, to=said[:_NOTED_CHARS])
    return rules


_NOTED_CHARS = 500


ROUTES = (
    Route(
        method="GET",
        path="/api/sessions/{id}/tools",
        summary="Which tools this session may use",
        handler=show,
        parameters=(ID,),
        responses={200: SessionRules},
        refusals=(404, 503),
    ),
    Route(
        method="PUT",
        path="/api/sessions/{id}/tools",
        summary="Say which of the gateway's tools this session may use; holds for running turns too",
        handler=write,
        parameters=(ID,),
        request=SessionRules,
        responses={200: SessionRules},
        refusals=(403, 404, 503),
    ),
)
