"""`/ws/chat`: opens a client's session and hands its socket to a ChatSocket. A raw ASGI application.

Above: app, which has let the client in. Below: chat_socket.
"""

from urllib.parse import parse_qs

import msgspec
from starlette.types import Receive, Scope, Send

from cetp_gateway.devices import socket_of
from cetp_gateway.errors import CetpError, StorageError
from cetp_gateway.server.chat.chat_socket import ChatSocket
from cetp_gateway.server.door.auth import Caller
from cetp_gateway.server.requests.errors import HttpError, refusal
from cetp_gateway.server.requests.responses import deny_socket
from cetp_gateway.server.service import Service
from cetp_gateway.sessions import OpenedSession, is_session_id, new_session_id

SUBPROTOCOL = "clawseed.v1"
MAX_NAME_CHARS = 200
"""Of a session's name and persona in the query."""


class Opening(msgspec.Struct, frozen=True):
    """What a client says before the socket is open (ClawSeed wire protocol: query of /ws/chat)."""

    session_id: str
    name: str
    persona: str


class ChatEndpoint:
    """One object serves all sockets."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send, caller: Caller) -> None:
        await receive()
        try:
            session, trouble = await self._open(read_opening(scope["query_string"]))
        except CetpError as error:
            await deny_socket(send, refusal(error))
            return
        await self._service.runtime.registry.ready()
        accepted = SUBPROTOCOL if SUBPROTOCOL in scope["subprotocols"] else None
        await send({"type": "websocket.accept", "subprotocol": accepted})
        socket = socket_of(scope, receive, send)
        saw = self._service.model_watch.saw
        chat = ChatSocket(self._service.runtime, socket, session, caller=caller, saw=saw)
        await chat.run(trouble=trouble)

    async def _open(self, opening: Opening) -> tuple[OpenedSession, StorageError | None]:
        """The session. When it cannot be stored, one that nobody will remember, and why: a full disk must not keep
        a phone's tools away.
        """
        session_id, name, persona = opening.session_id, opening.name, opening.persona
        try:
            return await self._service.runtime.sessions.open(session_id, name=name, persona=persona), None
        except StorageError as error:
            return OpenedSession(id=session_id, name=name, persona=persona, message_count=0), error


def read_opening(query_string: bytes) -> Opening:
    """The client's wishes; raises HttpError (400) that names the parameter."""
    query = parse_qs(query_string.decode("latin-1"), errors="replace")
    session_id = query.get("session_id", [""])[0] or new_session_id()
    if not is_session_id(session_id):
        raise HttpError(400, "session_id: 1 to 128 of A-Z a-z 0-9 _ . - are allowed.")
    return Opening(session_id, _text(query, "name"), _text(query, "persona"))


def _text(query: dict[str, list[str]], name: str) -> str:
    text = query.get(name, [""])[0].strip()
    if len(text) > MAX_NAME_CHARS:
        raise HttpError(400, f"{name}: {MAX_NAME_CHARS} characters at most.")
    return text
