"""Answers the requests of one path: checks what its route demands, calls the handler, encodes what it says.

The one border where exceptions become HTTP. Above: app. Below: the handlers.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from starlette.types import Receive, Scope, Send

from cetp_gateway.server.door.auth import ANYONE, Caller
from cetp_gateway.server.door.local import is_local, peer_address
from cetp_gateway.server.requests.body import decode_json, read_body
from cetp_gateway.server.requests.errors import ClientGone, HttpError, refusal
from cetp_gateway.server.requests.headers import Headers, read_headers
from cetp_gateway.server.requests.responses import Reply, send_reply
from cetp_gateway.server.rest.routes import Access, Asked, Parameter, Route, Text
from cetp_gateway.server.service import Service


class PathEndpoint:
    """All methods of one path; an ASGI application."""

    def __init__(self, routes: Sequence[Route], service: Service) -> None:
        self._routes = {route.method: route for route in routes}
        if "GET" in self._routes:
            self._routes["HEAD"] = self._routes["GET"]
        self._decoders = {
            route.method: msgspec.json.Decoder(route.request) for route in routes if route.request not in (None, str)
        }
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            reply = await self._answer(scope, receive)
        except ClientGone:
            return
        except Exception as error:  # noqa: BLE001  (the border: nothing passes unanswered)
            reply = refusal(error)
        await send_reply(send, reply)

    async def _answer(self, scope: Scope, receive: Receive) -> Reply:
        route = self._routes.get(scope["method"])
        if route is None or route.handler is None:
            return self._method_not_allowed()
        headers = read_headers(scope)
        local = is_local(scope, headers)
        caller = self._admit(route, headers, local=local)
        asked = Asked(
            service=self._service,
            caller=caller,
            address=peer_address(scope),
            port=(scope.get("server") or ("", 0))[1] or 0,
            local=local,
            headers=headers,
            parameters=read_parameters(route.parameters, scope, headers),
            body=await self._body(route, headers, receive),
        )
        return encode(route, await route.handler(asked))

    def _admit(self, route: Route, headers: Headers, *, local: bool) -> Caller:
        if route.access is Access.LOCAL:
            if not local:
                raise HttpError(
                    403, "This is only for callers on the gateway's own machine, called as localhost, without a proxy."
                )
            return ANYONE
        if route.access is Access.PUBLIC:
            return ANYONE
        return self._service.authenticator.by_header(headers)

    async def _body(self, route: Route, headers: Headers, receive: Receive) -> Any:
        if route.request is None:
            return None
        limit = getattr(self._service.runtime.settings.limits, route.body_limit)
        now = asyncio.get_running_loop().time()
        body = await read_body(headers, receive, limit=limit, setting=route.body_limit, now=now)
        if route.request is not str:
            return decode_json(self._decoders[route.method], body)
        try:
            return body.decode()
        except UnicodeDecodeError as error:
            raise HttpError(400, f"The body is no UTF-8 text: byte {error.start} does not fit.") from None

    def _method_not_allowed(self) -> Reply:
        allowed = ", ".join(sorted(self._routes))
        answer = refusal(HttpError(405, f"This path takes {allowed}."))
        return Reply(answer.status, answer.body, headers=((b"allow", allowed.encode()),))


def read_parameters(parameters: Sequence[Parameter], scope: Scope, headers: Headers) -> dict[str, Any]:
    """The values that a route asks for outside the body, checked.

    Raises:
        HttpError: 400, naming the parameter.
    """
    if not parameters:
        return {}
    query = dict(parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True))
    path: Mapping[str, str] = scope.get("path_params", {})
    values: dict[str, Any] = {}
    for parameter in parameters:
        text = _text_of(parameter, path, query, headers)
        if text is not None:
            values[parameter.name] = _checked(parameter, text)
        elif parameter.required:
            raise HttpError(400, f"The {parameter.where} parameter {parameter.name} is missing.")
    return values


def _text_of(parameter: Parameter, path: Mapping[str, str], query: Mapping[str, str], headers: Headers) -> str | None:
    if parameter.where == "path":
        return path.get(parameter.name)
    if parameter.where == "query":
        return query.get(parameter.name)
    value = headers.get(parameter.name.lower().encode())
    return None if value is None else value.decode("latin-1").strip()


def _checked(parameter: Parameter, text: str) -> Any:
    try:
        return msgspec.convert(text, parameter.type, strict=False)
    except msgspec.ValidationError as error:
        raise HttpError(400, f"{parameter.name}: {error}.") from None


def encode(route: Route, value: Any) -> Reply:
    """The handler's value as an answer."""
    if isinstance(value, Reply):
        return value
    status = next(iter(route.responses))
    if isinstance(value, Text):
        return Reply(status, value.content, value.content_type)
    return Reply(status, msgspec.json.encode(value))
