"""`POST /api/tools/{name}/call`: one call, past the agent, through the same hooks, registry and outcomes.

The hot path of the REST side: plain ASGI, a typed decoder, a view of the tools that lasts until the registry
changes. Above: app. Below: agent.run_call.
"""

import itertools
import secrets
from collections.abc import Coroutine
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from starlette.types import Receive, Send

from cetp_gateway.agent import run_call
from cetp_gateway.api import CallContext, Outcome, ToolView
from cetp_gateway.server.requests.body import decode_json, read_body
from cetp_gateway.server.requests.client_watch import ClientWatches
from cetp_gateway.server.requests.errors import ClientGone, HttpError, refusal
from cetp_gateway.server.requests.headers import Headers
from cetp_gateway.server.requests.outcome_reply import RESPONSES, reply_to
from cetp_gateway.server.requests.whole_answer import send_whole
from cetp_gateway.server.rest.routes import Parameter, Route
from cetp_gateway.server.service import Service

PREFIX = "/api/tools/"
SUFFIX = "/call"


class CallBody(msgspec.Struct, frozen=True):
    """A call's arguments and, optionally, how long its caller waits."""

    arguments: dict[str, Any] = {}
    timeout_ms: Annotated[int, Meta(ge=1)] | None = None
    """Milliseconds, at most the gateway's own limit (limits.tool_timeout_s), which holds when nothing is said."""


class ToolCallEndpoint:
    """Answers all tool calls by REST."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._runtime = service.runtime
        self._current = service.runtime.current
        self._decoder = msgspec.json.Decoder(CallBody)
        self._view: ToolView | None = None
        self._watches = ClientWatches()
        self._numbers = itertools.count(1)
        self._prefix = secrets.token_hex(4)
        self._workspace = service.runtime.workspace

    async def __call__(self, name: str, headers: Headers, receive: Receive, send: Send) -> None:
        try:
            client = self._service.authenticator.by_header(headers).client
            now, limit = self._watches.loop.time(), self._current.settings.limits.body_bytes
            body = await read_body(headers, receive, limit=limit, setting="body_bytes", now=now)
            asked = decode_json(self._decoder, body)
            task = self._watches.enter(receive)
            try:
                outcome = await self._run(name, asked, client)
            finally:
                self._watches.leave(task)
            self._service.call_counts[type(outcome)] += 1
            reply = reply_to(outcome)
        except ClientGone:
            return
        except Exception as error:  # noqa: BLE001  (the border: nothing passes unanswered)
            reply = refusal(error)
        await send_whole(send, reply)

    def _run(self, name: str, asked: CallBody, client: str) -> Coroutine[Any, Any, Outcome]:
        registry = self._runtime.registry
        if self._view is None or self._view.revision != registry.revision:
            self._view = registry.view(everything=True)
        now = self._watches.loop.time()
        context = CallContext(
            call_id=f"{self._prefix}-{next(self._numbers)}",
            deadline=now + self._timeout_s(asked.timeout_ms),
            began=now,
            caller="rest",
            client=client,
            workspace=self._workspace,
            patient=asked.timeout_ms is None,
        )
        return run_call(name, asked.arguments, tools=self._view, hooks=self._current.hooks, context=context)

    def _timeout_s(self, timeout_ms: int | None) -> float:
        longest = self._current.settings.limits.tool_timeout_s
        if timeout_ms is None:
            return longest
        if timeout_ms > longest * 1000:
            raise HttpError(400, f"timeout_ms: at most {longest * 1000:g} (limits.tool_timeout_s).")
        return timeout_ms / 1000


def name_of(path: str) -> str:
    """The tool's name in a path of this endpoint; empty when the path is another one."""
    if not (path.startswith(PREFIX) and path.endswith(SUFFIX)):
        return ""
    name = path[len(PREFIX) : -len(SUFFIX)]
    return "" if "/" in name else name


ROUTES = (
    Route(
        method="POST",
        path="/api/tools/{name}/call",
        summary="Call a tool; the answer says what became of it",
        handler=None,
        parameters=(Parameter(name="name", where="path", description="Public name of the tool"),),
        request=CallBody,
        responses=RESPONSES,
    ),
)
