"""`POST /webhook`: one question, one answer, for programs that keep no socket.

With `X-Session-Id` the question joins that session: its history is read, its line of turns is kept. Without, it
stands alone. Whoever asks may hand on what strangers wrote, so such a turn is offered no phone's tools. A turn
goes on when its client leaves: senders of webhooks give up early and try again with the same key.
"""

import hmac
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Annotated

import msgspec
from msgspec import Meta

from cetp_gateway.api import RegisteredTool, ToolSpec, ToolView, TurnAborted, TurnDone, TurnEvent
from cetp_gateway.server.requests.errors import HttpError
from cetp_gateway.server.rest.one_session import SESSION_ID
from cetp_gateway.server.rest.routes import NOT_BLANK, Asked, Parameter, Route, matching
from cetp_gateway.sessions import Asker, new_session_id


class WebhookMessage(msgspec.Struct, frozen=True):
    """The question. The header X-Persona wins over `persona`; a session keeps the persona it began with."""

    message: Annotated[str, Meta(min_length=1), NOT_BLANK]
    persona: str = ""


class WebhookAnswer(msgspec.Struct, frozen=True):
    """The answer; `session_id` is null when the question stood alone."""

    response: str
    model: str
    session_id: str | None


class Duplicate(msgspec.Struct, frozen=True):
    """A question with this key was answered within the last minutes; it was not asked again."""

    status: str
    idempotent: bool
    message: str


async def answer(asked: Asked[WebhookMessage]) -> WebhookAnswer | Duplicate:
    _check_secret(asked)
    key = asked.parameters.get("X-Idempotency-Key", "")
    keys, scoped = asked.service.webhook_keys, f"{asked.caller.device_id} {key}"
    # Before the limit: a sender that repeats itself must not use up its own minute.
    if key and keys.is_done(scoped):
        return Duplicate("duplicate", True, "A request with this X-Idempotency-Key was answered already.")
    if key and keys.is_running(scoped):
        raise HttpError(409, "A request with this X-Idempotency-Key is still running; try again later.")
    _admit(asked)
    text = _checked_text(asked)
    session_id = asked.parameters.get("X-Session-Id", "")
    if not key:
        return await _run(asked, session_id, text)
    keys.begin(scoped)
    well = False
    try:
        done = await _run(asked, session_id, text)
        well = True
    finally:
        keys.end(scoped, well=well)
    return done


def _admit(asked: Asked[WebhookMessage]) -> None:
    asked.service.webhooks.admit(asked.caller.device_id or asked.address)


def _check_secret(asked: Asked[WebhookMessage]) -> None:
    """Besides the token, when there is one. Guesses count against the limit."""
    secret = asked.service.runtime.settings.server.webhook_secret
    given = asked.headers.get(b"x-webhook-secret", b"").strip()
    if secret and not hmac.compare_digest(given, secret.encode()):
        _admit(asked)
        raise HttpError(401, "X-Webhook-Secret: it is missing or wrong (server.webhook_secret).")


def _checked_text(asked: Asked[WebhookMessage]) -> str:
    text, limit = asked.body.message, asked.service.runtime.settings.limits.message_chars
    if not text.strip():
        raise HttpError(400, "message: it must have at least one letter.")
    if len(text) > limit:
        raise HttpError(413, f"message: it has more than {limit} characters (limits.message_chars).")
    return text


async def _run(asked: Asked[WebhookMessage], session_id: str, text: str) -> WebhookAnswer:
    runtime = asked.service.runtime
    persona = asked.parameters.get("X-Persona", "") or asked.body.persona
    async with _session(asked, session_id, persona) as used:
        event = await runtime.conversations.ask(
            used,
            text,
            view=lambda: WithoutPhones(runtime.registry.view()),
            emit=asked.service.model_watch.saw,
            asker=Asker("webhook", asked.caller.client, vouched=False),
        )
    return WebhookAnswer(_text(event), runtime.model.model, session_id or None)


@asynccontextmanager
async def _session(asked: Asked[WebhookMessage], session_id: str, persona: str) -> AsyncIterator[str]:
    """The session that was named, or one that lasts as long as the question."""
    sessions = asked.service.runtime.sessions
    used = session_id or new_session_id()
    await sessions.open(used, persona=persona)
    try:
        yield used
    finally:
        if not session_id:
            asked.service.runtime.policy.forget_session(used)
            await sessions.delete(used)


def _text(event: TurnEvent) -> str:
    if isinstance(event, TurnDone):
        return event.text
    if isinstance(event, TurnAborted):
        raise HttpError(409, "The turn was aborted before it ended.", code="ABORTED")
    raise HttpError(500, getattr(event, "message", "The turn failed."), code=getattr(event, "code", ""))


class WithoutPhones:
    """A view without the tools that run on somebody's device. Implements ToolView."""

    def __init__(self, view: ToolView) -> None:
        self._view = view

    @property
    def revision(self) -> int:
        return self._view.revision

    def specs(self) -> Sequence[ToolSpec]:
        return [spec for spec in self._view.specs() if spec.origin is None]

    def find(self, name: str) -> RegisteredTool | None:
        tool = self._view.find(name)
        return tool if tool is not None and tool.spec.origin is None else None

    def nearest(self, name: str) -> tuple[str, ...]:
        return tuple(near for near in self._view.nearest(name) if self.find(near) is not None)


ROUTES = (
    Route(
        method="POST",
        path="/webhook",
        summary="Ask one question; phones' tools are not offered",
        handler=answer,
        parameters=(
            Parameter(name="X-Session-Id", where="header", type=Annotated[str, matching(f"(?:{SESSION_ID})?")]),
            Parameter(name="X-Persona", where="header", type=Annotated[str, Meta(max_length=64)]),
            Parameter(
                name="X-Idempotency-Key",
                where="header",
                type=Annotated[str, matching("[!-~]{1,255}")],
                description="A second request with the same key within 300 s is not run again",
            ),
            Parameter(
                name="X-Webhook-Secret",
                where="header",
                type=Annotated[str, Meta(max_length=512)],
                description="Needed when server.webhook_secret is set, besides the token",
            ),
        ),
        request=WebhookMessage,
        responses={200: (WebhookAnswer, Duplicate)},
        refusals=(409, 429, 500, 503),
    ),
)
