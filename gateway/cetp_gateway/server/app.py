"""The whole server as one ASGI application: the door, the hot paths, then the route table.

Every request passes the Host and Origin check first. Above: uvicorn (serve). The chat socket is given from outside.
"""

from collections.abc import Awaitable, Callable
from urllib.parse import unquote_to_bytes

from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Route as StarletteRoute
from starlette.routing import Router
from starlette.types import ASGIApp, Receive, Scope, Send

from cetp_gateway.errors import CetpError
from cetp_gateway.server.door.auth import Caller
from cetp_gateway.server.door.hosts import HostCheck
from cetp_gateway.server.requests.errors import HttpError, refusal
from cetp_gateway.server.requests.headers import Headers, read_headers
from cetp_gateway.server.requests.responses import TEXT, Reply, deny_socket, send_reply
from cetp_gateway.server.rest.endpoint import PathEndpoint
from cetp_gateway.server.rest.routes import Route
from cetp_gateway.server.rest.table import TABLE
from cetp_gateway.server.rest.tool_call import ToolCallEndpoint, name_of
from cetp_gateway.server.service import Service

CHAT_PATH = "/ws/chat"
_HEADERS = "cetp.headers"

Chat = Callable[[Scope, Receive, Send, Caller], Awaitable[None]]
"""The endpoint of `/ws/chat`: an ASGI application that is also told who is calling; nothing was sent yet."""


class Application:
    """An ASGI application.

    Args:
        service: what all routes share.
        chat: answers sockets that have passed the door.
    """

    def __init__(self, service: Service, chat: Chat) -> None:
        self._service = service
        self._chat = chat
        self._hosts = HostCheck(service.runtime.settings.server)
        self._tool_call = ToolCallEndpoint(service)
        self._router = _router(service)
        origins = service.runtime.settings.server.allowed_origins
        self._http: ASGIApp = _with_cors(self._dispatch, origins) if origins else self._dispatch
        service.first_code()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            refused = self._refused(scope)
            if refused is None:
                await self._http(scope, receive, send)
            else:
                await send_reply(send, refused)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._router(scope, receive, send)

    def _refused(self, scope: Scope) -> Reply | None:
        """The answer for a request whose headers keep it out; the others' headers go into the scope."""
        try:
            headers = scope[_HEADERS] = read_headers(scope)
            self._hosts.check(headers)
        except HttpError as error:
            return refusal(error)
        return None

    def _dispatch(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        tool = name_of(scope["path"]) if scope["method"] == "POST" else ""
        if tool:
            return self._tool_call(tool, scope[_HEADERS], receive, send)
        return self._router(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            caller = self._admit(scope)
        except CetpError as error:
            await receive()
            answer = refusal(error)
            await deny_socket(send, Reply(answer.status, error.message.encode(), TEXT, answer.headers))
            return
        await self._chat(scope, receive, send, caller)

    def _admit(self, scope: Scope) -> Caller:
        headers: Headers = read_headers(scope)
        self._hosts.check(headers)
        if scope["path"] != CHAT_PATH:
            raise HttpError(404, f"There is no socket at this path; the one there is is {CHAT_PATH}.")
        query = scope["query_string"]
        caller = self._service.authenticator.by_socket(headers, scope.get("subprotocols", ()), query)
        scope["query_string"] = without_token(query)
        return caller


def without_token(query: bytes) -> bytes:
    """A query string without its tokens: the server below writes it into its log."""
    parts = query.split(b"&")
    return b"&".join(part for part in parts if unquote_to_bytes(part.partition(b"=")[0]) != b"token")


def _router(service: Service) -> Router:
    by_path: dict[str, list[Route]] = {}
    for route in TABLE:
        by_path.setdefault(route.path, []).append(route)
    return Router(
        [StarletteRoute(path, PathEndpoint(routes, service)) for path, routes in by_path.items()],
        default=_not_found,
        redirect_slashes=False,
    )


async def _not_found(scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG001
    if scope["type"] == "http":
        await send_reply(
            send, refusal(HttpError(404, "There is nothing at this path; /openapi.json lists what there is."))
        )


def _with_cors(app: ASGIApp, origins: tuple[str, ...]) -> ASGIApp:
    return CORSMiddleware(
        app,
        allow_origins=[origin.rstrip("/") for origin in origins],
        allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
        allow_headers=["Authorization", "X-Session-Id", "X-Persona", "X-Idempotency-Key", "X-Pairing-Code"],
    )
