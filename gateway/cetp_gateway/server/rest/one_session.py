"""What routes about one session have in common: its id in the path, that it is there, who may decide about it.

Above: the routes. Below: routes, sessions, policy.
"""

from typing import Annotated, Any, Final

from cetp_gateway.errors import UnknownSession
from cetp_gateway.server.requests.errors import HttpError
from cetp_gateway.server.rest.routes import Asked, Parameter, matching

SESSION_ID: Final = r"(?!\.{1,2}$)[A-Za-z0-9_.-]{1,128}"
ID: Final = Parameter(
    name="id", where="path", type=Annotated[str, matching(SESSION_ID)], description="The session's id"
)


async def known_session(asked: Asked[Any]) -> str:
    """The id of the path; raises UnknownSession."""
    session_id: str = asked.parameters["id"]
    if not await asked.service.runtime.sessions.exists(session_id):
        raise UnknownSession(f"There is no session {session_id}.")
    return session_id


def must_decide(asked: Asked[Any]) -> None:
    """Raise HttpError (403) unless the caller is one of `policy.approvers`."""
    if not asked.service.runtime.policy.approvals.may_decide(asked.caller.client):
        raise HttpError(403, "This client may not decide about what an agent does (policy.approvers).")
